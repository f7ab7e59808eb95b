package io.warmpath.bridge.zmq;

import io.warmpath.bridge.follow.EngineListener;
import io.warmpath.bridge.follow.ReplaySettings;
import io.warmpath.bridge.state.EngineBlocks;
import io.warmpath.bridge.state.ReplicaStream;
import io.warmpath.bridge.wire.EngineBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** One engine that is followed: all its ranks, and what they hold together. */
final class EngineSession {

  private final ReplicaStream stream;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private final List<EngineBlocks> blocks = new ArrayList<>();
  private final LongSupplier epochMs;

  EngineSession(
      ReplicaStream stream,
      List<PublisherAddress> publishers,
      ReplaySettings settings,
      int maxBlocks,
      EngineCounts counts,
      LongSupplier epochMs,
      ZContext context,
      ZMQ.Poller poller) {
    this.stream = stream;
    this.epochMs = epochMs;
    for (PublisherAddress publisher : publishers) {
      EngineBlocks held = new EngineBlocks(stream, publisher.rank(), maxBlocks, counts.blocks());
      blocks.add(held);
      subscriptions.add(
          new Subscription(
              context, poller, publisher, settings, new Follow(held), counts.follow()));
    }
  }

  ReplicaStream stream() {
    return stream;
  }

  /** Takes what has come; whether there may be more at once. */
  boolean turn(long nowNanos) {
    boolean more = false;
    for (Subscription subscription : subscriptions) {
      more |= subscription.turn(nowNanos);
    }
    return more;
  }

  /** Ranks of which messages are missing that may still come. */
  int suspectRanks() {
    return (int) subscriptions.stream().filter(Subscription::isSuspect).count();
  }

  /** Engine blocks followed, with those that are told to nobody. */
  long followedBlocks() {
    return blocks.stream().mapToLong(EngineBlocks::size).sum();
  }

  void close() {
    subscriptions.forEach(Subscription::leave);
  }

  private final class Follow implements EngineListener {

    private final EngineBlocks held;

    Follow(EngineBlocks held) {
      this.held = held;
    }

    @Override
    public void onBatch(EngineBatch batch) {
      held.apply(batch, epochMs.getAsLong());
    }

    @Override
    public void onRestart() {
      held.restart(epochMs.getAsLong());
    }
  }
}
