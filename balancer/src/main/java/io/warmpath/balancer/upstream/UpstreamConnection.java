package io.warmpath.balancer.upstream;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;

/** A keep-alive connection to a replica, used for one request at a time on its event loop. */
public final class UpstreamConnection extends ChannelInboundHandlerAdapter {

  private final ReplicaConnections pool;
  private final Channel channel;
  private UpstreamListener listener;
  private boolean interim;
  private boolean reused;
  private boolean answered;
  private long idleSinceNanos;
  private long leasedNanos;

  UpstreamConnection(ReplicaConnections pool, Channel channel) {
    this.pool = pool;
    this.channel = channel;
  }

  void lease(UpstreamListener to) {
    listener = to;
    pool.counts().leased();
    answered = false;
    leasedNanos = System.nanoTime();
  }

  /**
   * Whether the loss of the connection says nothing of the replica: an earlier request used it and
   * it was lost as soon as it was used again, so the replica was just closing it. What a replica
   * loses later it had taken.
   */
  public boolean lostWhileIdle() {
    return reused && !answered && System.nanoTime() - leasedNanos < pool.staleNanos();
  }

  /** Sends a request. */
  public void send(FullHttpRequest request) {
    channel.writeAndFlush(request, channel.voidPromise());
  }

  /** Reads on, or stops reading until it is told to read on. */
  public void reading(boolean on) {
    channel.config().setAutoRead(on);
  }

  /** Gives the connection back for another request: the answer was read to its end. */
  public void release() {
    free();
    reused = true;
    channel.config().setAutoRead(true);
    pool.giveBack(this);
  }

  /** Closes the connection; its listener hears nothing more. */
  public void close() {
    free();
    channel.close();
  }

  private void free() {
    if (listener != null) {
      listener = null;
      pool.counts().returned();
    }
  }

  boolean isOpen() {
    return channel.isActive();
  }

  void idleSince(long nanos) {
    idleSinceNanos = nanos;
  }

  long idleSince() {
    return idleSinceNanos;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (listener == null) {
      ReferenceCountUtil.release(message);
      channel.close();
      return;
    }
    answered = true;
    DecoderResult result = ((HttpObject) message).decoderResult();
    if (result.isFailure()) {
      ReferenceCountUtil.release(message);
      fail(result.cause());
      return;
    }
    if (message instanceof HttpResponse head) {
      if (head.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
        // Nobody asked for that, and what follows would be no HTTP.
        fail(new IOException("the replica switches protocols"));
        return;
      }
      interim = head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
      if (!interim) {
        listener.head(head);
      }
    }
    if (message instanceof HttpContent content) {
      if (interim) {
        content.release();
        interim = !(content instanceof LastHttpContent);
      } else if (listener != null) {
        listener.content(content);
      } else {
        content.release();
      }
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (listener != null) {
      listener.readComplete();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    pool.counts().opened();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    pool.counts().closed();
    pool.forget(this);
    fail(new IOException("connection closed by the replica"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(cause);
  }

  private void fail(Throwable cause) {
    UpstreamListener told = listener;
    close();
    if (told != null) {
      told.lost(cause);
    }
  }
}
