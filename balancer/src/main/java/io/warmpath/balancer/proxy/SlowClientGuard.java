package io.warmpath.balancer.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the time that a client takes to send: of a head that trickles in byte by byte nothing else
 * hears anything before it is complete. One scheduled task looks at what was noted in between.
 */
final class SlowClientGuard extends ChannelInboundHandlerAdapter {

  private enum Awaiting {
    /** The first request, of which no byte came yet. */
    FIRST_REQUEST,
    HEAD,
    BODY,
    /** The next one, likewise. */
    REQUEST,
    /** Nothing: the client is being answered. */
    NOTHING
  }

  private final ReceiveTimeouts timeouts;
  private final Runnable tooSlow;
  private ChannelHandlerContext channel;
  private ScheduledFuture<?> task;
  private Awaiting awaiting = Awaiting.FIRST_REQUEST;
  private long sinceNanos = System.nanoTime();

  /**
   * @param tooSlow answers a client that sent a part of a request, and closes
   */
  SlowClientGuard(ReceiveTimeouts timeouts, Runnable tooSlow) {
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
    if (nothingCame()) {
      await(Awaiting.HEAD);
    }
    context.fireChannelRead(message);
  }

  /** The head of a request is complete. */
  void headReceived() {
    await(Awaiting.BODY);
  }

  /** A request is complete. */
  void received() {
    awaiting = Awaiting.NOTHING;
  }

  /** A request was answered. */
  void answered() {
    await(Awaiting.REQUEST);
  }

  private boolean nothingCame() {
    return awaiting == Awaiting.FIRST_REQUEST || awaiting == Awaiting.REQUEST;
  }

  private void await(Awaiting next) {
    awaiting = next;
    sinceNanos = System.nanoTime();
  }

  private void schedule() {
    long nanos =
        Math.min(
            timeouts.header().toNanos(),
            Math.min(timeouts.body().toNanos(), timeouts.keepAlive().toNanos()));
    if (awaiting != Awaiting.NOTHING) {
      nanos = Math.min(nanos, boundNanos() - (System.nanoTime() - sinceNanos));
    }
    task = channel.executor().schedule(this::check, Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  private void check() {
    if (awaiting == Awaiting.NOTHING || System.nanoTime() - sinceNanos < boundNanos()) {
      schedule();
    } else if (nothingCame()) {
      channel.close();
    } else {
      awaiting = Awaiting.NOTHING;
      tooSlow.run();
    }
  }

  private long boundNanos() {
    return switch (awaiting) {
      case FIRST_REQUEST, HEAD -> timeouts.header().toNanos();
      case BODY -> timeouts.body().toNanos();
      default -> timeouts.keepAlive().toNanos();
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
