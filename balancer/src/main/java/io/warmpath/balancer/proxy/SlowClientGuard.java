package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the time that a client takes to send, and to read the end of an answer: of a head that
 * trickles in byte by byte nothing else hears anything before it is complete. One scheduled task
 * looks at what was noted in between. It also ends a connection so that the client gets the last
 * answer.
 */
public final class SlowClientGuard extends ChannelInboundHandlerAdapter {

  private enum Awaiting {
    /** The first request, of which no byte came yet. */
    FIRST_REQUEST,
    HEAD,
    BODY,
    /** The next one, likewise. */
    REQUEST,
    /** Nothing: the client is being answered. */
    NOTHING,
    /** That the answer goes out; the next request may come meanwhile. */
    ANSWER,
    /** That the last answer goes out. */
    END,
    /** That the client closes. */
    CLOSE
  }

  /** Most that is read and thrown away of a client that has its last answer. */
  private static final long MAX_DISCARDED_BYTES = 64L << 20;

  /** How long such a client may send nothing: then it has no more, or is gone. */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final ReceiveTimeouts timeouts;
  private final Runnable tooSlow;
  private ChannelHandlerContext channel;
  private ScheduledFuture<?> task;
  private Awaiting awaiting = Awaiting.FIRST_REQUEST;

  /** The answer that goes out last of those that are complete. */
  private ChannelFuture answer;

  private long sinceNanos = System.nanoTime();
  private long lastReadNanos;
  private long discardedBytes;

  /**
   * @param tooSlow answers a client that sent a part of a request, and closes
   */
  public SlowClientGuard(ReceiveTimeouts timeouts, Runnable tooSlow) {
    this.timeouts = timeouts;
    this.tooSlow = tooSlow;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    channel = added;
    schedule();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (isEnding()) {
      discard(message);
      return;
    }
    if (nothingCame()) {
      await(Awaiting.HEAD);
    }
    context.fireChannelRead(message);
  }

  /** The head of a request is complete. */
  public void headReceived() {
    await(Awaiting.BODY);
  }

  /** A request is complete. */
  public void received() {
    awaiting = Awaiting.NOTHING;
  }

  /**
   * A request was answered. A client that is slow to read the answer keeps its whole time for the
   * next request.
   *
   * @param written done when the answer has gone out
   */
  public void answered(ChannelFuture written) {
    if (written.isSuccess()) {
      await(Awaiting.REQUEST);
      return;
    }
    answer = written;
    await(Awaiting.ANSWER);
    written.addListener(
        done -> {
          if (!done.isSuccess()) {
            channel.channel().close();
          } else if (awaiting == Awaiting.ANSWER && answer == written) {
            await(Awaiting.REQUEST);
          }
        });
  }

  /**
   * Closes the connection once the last answer is written. What comes from now on is thrown away.
   *
   * @param sending whether the client may not have sent all. To close at once would then reset the
   *     connection, and the answer could be lost on its way: only the sending side is closed
   *     (without TLS), and the client's is read until it closes, within bounds (RFC 9112, 9.6)
   */
  public void closeAfter(ChannelFuture written, boolean sending) {
    await(Awaiting.END);
    written.addListener(
        done -> {
          if (sending && done.isSuccess() && channel.channel() instanceof SocketChannel socket) {
            linger(socket);
          } else {
            channel.channel().close();
          }
        });
  }

  private void linger(SocketChannel socket) {
    await(Awaiting.CLOSE);
    lastReadNanos = sinceNanos;
    if (socket.pipeline().get(SslHandler.class) == null) {
      socket.shutdownOutput();
    }
    socket.config().setAutoRead(true);
    task.cancel(false);
    schedule();
  }

  private void discard(Object message) {
    if (message instanceof ByteBuf bytes) {
      discardedBytes += bytes.readableBytes();
    }
    ReferenceCountUtil.release(message);
    lastReadNanos = System.nanoTime();
    if (discardedBytes > MAX_DISCARDED_BYTES) {
      channel.channel().close();
    }
  }

  private boolean isEnding() {
    return awaiting == Awaiting.END || awaiting == Awaiting.CLOSE;
  }

  private boolean nothingCame() {
    return switch (awaiting) {
      case FIRST_REQUEST, REQUEST, ANSWER -> true;
      default -> false;
    };
  }

  private void await(Awaiting next) {
    awaiting = next;
    sinceNanos = System.nanoTime();
  }

  private void schedule() {
    if (!channel.channel().isOpen()) {
      return;
    }
    long nanos =
        Math.min(
            timeouts.header().toNanos(),
            Math.min(timeouts.body().toNanos(), timeouts.keepAlive().toNanos()));
    if (awaiting != Awaiting.NOTHING) {
      nanos = Math.min(nanos, leftNanos());
    }
    task = channel.executor().schedule(this::check, Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  private void check() {
    if (awaiting != Awaiting.NOTHING && leftNanos() <= 0) {
      if (nothingCame() || isEnding()) {
        channel.channel().close();
        return;
      }
      awaiting = Awaiting.NOTHING;
      tooSlow.run();
    }
    schedule();
  }

  private long leftNanos() {
    long now = System.nanoTime();
    long left = boundNanos() - (now - sinceNanos);
    return awaiting == Awaiting.CLOSE
        ? Math.min(left, SILENCE_NANOS - (now - lastReadNanos))
        : left;
  }

  private long boundNanos() {
    return switch (awaiting) {
      case FIRST_REQUEST, HEAD -> timeouts.header().toNanos();
      case BODY, ANSWER, END, CLOSE -> timeouts.body().toNanos();
      case REQUEST, NOTHING -> timeouts.keepAlive().toNanos();
    };
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    task.cancel(false);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    task.cancel(false);
    context.fireChannelInactive();
  }
}
