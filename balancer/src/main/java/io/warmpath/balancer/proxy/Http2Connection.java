package io.warmpath.balancer.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsAckFrame;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.ReferenceCountUtil;
import java.util.function.Supplier;

/**
 * A client's connection that speaks HTTP/2. Each stream is a channel of its own with a {@link
 * ClientHandler}, as a connection of HTTP/1.1 is; this handler takes what concerns them all.
 */
final class Http2Connection extends ChannelInboundHandlerAdapter {

  /**
   * What a client may send ahead, for a stream and for all together: a long prompt in one round
   * trip or two. Bodies are read as they come, so this is not what bounds them.
   */
  private static final int WINDOW_BYTES = 1024 * 1024;

  /** Streams that a client may open and reset at once, however few it may have open. */
  private static final int MIN_RESETS = 200;

  private static final int RESET_WINDOW_SECONDS = 10;
  private static final int MAX_EMPTY_FRAMES = 2;
  private static final long PING = 0x676f61776179L;

  private final Supplier<ProxyContext> contexts;
  private final Http2FrameCodec codec;
  private final Http2MultiplexHandler streams = new Http2MultiplexHandler(new NewStream());
  private final SlowClientGuard guard;
  private final int maxStreams;
  private ChannelHandlerContext channel;
  private int open;
  private boolean leaving;
  private boolean knowsOfLeaving;

  /**
   * @param contexts what holds for a request that comes now
   */
  Http2Connection(Supplier<ProxyContext> contexts) {
    this.contexts = contexts;
    ProxyContext context = contexts.get();
    maxStreams = context.limits().maxStreams();
    codec = codec(context.limits());
    // No frame gets so far as the guard: it knows of streams alone, and closes what is idle.
    guard = new SlowClientGuard(context.receiveTimeouts(), () -> {});
  }

  private static Http2FrameCodec codec(Limits limits) {
    Http2Settings settings =
        Http2Settings.defaultSettings()
            .maxConcurrentStreams(limits.maxStreams())
            .maxHeaderListSize(limits.maxHeaderBytes())
            .initialWindowSize(WINDOW_BYTES);
    int resets = Math.max(MIN_RESETS, limits.maxStreams());
    return Http2FrameCodecBuilder.forServer()
        .initialSettings(settings)
        .decoderEnforceMaxRstFramesPerWindow(resets, RESET_WINDOW_SECONDS)
        .encoderEnforceMaxRstFramesPerWindow(resets, RESET_WINDOW_SECONDS)
        .decoderEnforceMaxConsecutiveEmptyDataFrames(MAX_EMPTY_FRAMES)
        .gracefulShutdownTimeoutMillis(0)
        .build();
  }

  /** All handlers of such a connection, in order. */
  ChannelHandler[] handlers() {
    return new ChannelHandler[] {codec, streams, this};
  }

  Http2FrameCodec codec() {
    return codec;
  }

  /** Makes a channel of each stream. */
  Http2MultiplexHandler streams() {
    return streams;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    channel = added;
    added.pipeline().addLast(guard);
    added.writeAndFlush(
        new DefaultHttp2WindowUpdateFrame(WINDOW_BYTES - Http2CodecUtil.DEFAULT_WINDOW_SIZE));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object frame) {
    if (frame instanceof Http2SettingsAckFrame) {
      // From here on the codec would refuse streams too, but take the body of one that it refused
      // for a violation by the whole connection.
      codec.connection().remote().maxActiveStreams(Integer.MAX_VALUE);
    } else if (frame instanceof Http2PingFrame ping && ping.ack() && ping.content() == PING) {
      knowsOfLeaving = true;
      closeIfLeft();
    }
    ReferenceCountUtil.release(frame);
  }

  /**
   * Ends the connection once its streams are over. Those that the client opened before it heard of
   * that are served too: it names no last stream, and waits for the answer to a ping (RFC 9113,
   * 6.8).
   */
  void goAway() {
    if (leaving) {
      return;
    }
    leaving = true;
    Http2GoAwayFrame frame = new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR);
    frame.setExtraStreamIds(Integer.MAX_VALUE);
    channel.write(frame);
    channel.writeAndFlush(new DefaultHttp2PingFrame(PING));
  }

  private void opened() {
    open++;
    guard.received();
  }

  private void closed() {
    open--;
    if (open == 0) {
      guard.answered(channel.newSucceededFuture());
      closeIfLeft();
    }
  }

  private void closeIfLeft() {
    if (knowsOfLeaving && open == 0) {
      channel.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // The codec ends the connection for its own, and says why.
    if (!(cause instanceof Http2Exception)) {
      context.close();
    }
  }

  @ChannelHandler.Sharable
  private final class NewStream extends ChannelInitializer<Channel> {

    @Override
    protected void initChannel(Channel stream) {
      opened();
      stream.closeFuture().addListener(over -> closed());
      if (open > maxStreams) {
        stream.pipeline().addLast(new Refusal());
        return;
      }
      ClientHandler client = new ClientHandler(contexts);
      stream
          .pipeline()
          .addLast(client.guard())
          .addLast(new Http2StreamFrameToHttpObjectCodec(true))
          .addLast(new Http2StreamEnd())
          .addLast(client);
    }
  }

  /** Turns a stream away so that the client may send the request again (RFC 9113, 8.7). */
  private static final class Refusal extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
      ReferenceCountUtil.release(frame);
      if (frame instanceof Http2HeadersFrame) {
        context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
      }
    }
  }
}
