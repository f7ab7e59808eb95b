package io.warmpath.bridge.zmq;

import io.warmpath.bridge.follow.ReplaySettings;
import io.warmpath.bridge.state.BatchSink;
import io.warmpath.bridge.state.ReplicaStream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * Follows engines, all on one thread: what they hold is kept without locks. Others ask that thread
 * by {@link #execute}.
 */
public final class EngineLoop implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EngineLoop.class);
  private static final long POLL_MS = 5;

  /** Routers decide by these events: they must not wait long. */
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long CLOSE_MS = 3_000;

  private final BatchSink sink;
  private final Supplier<Collection<String>> lostReplicas;
  private final ReplaySettings settings;
  private final int maxBlocks;
  private final LongSupplier epochMs;
  private final Map<String, EngineSession> sessions = new LinkedHashMap<>();
  private final Map<String, EngineCounts> counts = new LinkedHashMap<>();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Thread thread = new Thread(this::run, "warmpath-engines");
  private ZContext context;
  private ZMQ.Poller poller;
  private volatile List<EngineState> states = List.of();
  private volatile boolean closing;

  /**
   * @param lostReplicas takes out the replicas of which the sink lost something after it took it
   * @param maxBlocks most blocks that are followed of each rank
   * @param epochMs the wall clock
   */
  public EngineLoop(
      BatchSink sink,
      Supplier<Collection<String>> lostReplicas,
      ReplaySettings settings,
      int maxBlocks,
      LongSupplier epochMs) {
    this.sink = sink;
    this.lostReplicas = lostReplicas;
    this.settings = settings;
    this.maxBlocks = maxBlocks;
    this.epochMs = epochMs;
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /** Does something on the loop's thread. */
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Follows another engine; without publishers it only has a name and an incarnation. */
  public void follow(String replica, String model, List<PublisherAddress> publishers) {
    execute(
        () -> {
          leave(replica);
          EngineCounts counted = counts.computeIfAbsent(replica, any -> new EngineCounts());
          ReplicaStream stream = new ReplicaStream(replica, model, epochMs.getAsLong(), sink);
          sessions.put(
              replica,
              new EngineSession(
                  stream, publishers, settings, maxBlocks, counted, epochMs, context, poller));
        });
  }

  /** Follows an engine no more. */
  public void unfollow(String replica) {
    execute(() -> leave(replica));
  }

  private void leave(String replica) {
    EngineSession session = sessions.remove(replica);
    if (session != null) {
      session.close();
      session.stream().flush(epochMs.getAsLong());
    }
  }

  /**
   * Does something with an engine's stream, on the loop's thread, unless it is followed no more.
   */
  public void withStream(String replica, Consumer<ReplicaStream> task) {
    execute(
        () -> {
          EngineSession session = sessions.get(replica);
          if (session != null) {
            task.accept(session.stream());
          }
        });
  }

  /** How it stands with each engine, a moment ago. */
  public List<EngineState> states() {
    return states;
  }

  /** Whether it runs; it does not end by itself. */
  public boolean isAlive() {
    return thread.isAlive();
  }

  private void run() {
    try (ZContext opened = new ZContext()) {
      context = opened;
      poller = opened.createPoller(1);
      long flushedNanos = System.nanoTime();
      boolean more = false;
      while (!closing) {
        poller.poll(more ? 0 : POLL_MS);
        long nowNanos = System.nanoTime();
        more = guardedTurn(nowNanos);
        if (nowNanos - flushedNanos >= FLUSH_NANOS) {
          flushedNanos = nowNanos;
          flush();
        }
      }
      sessions.values().forEach(session -> session.stream().flush(epochMs.getAsLong()));
    } catch (RuntimeException e) {
      LOG.error("engines are not followed any more", e);
    }
  }

  /** One engine that cannot be followed must not keep the others from it. */
  private boolean guardedTurn(long nowNanos) {
    boolean more = false;
    for (EngineSession session : sessions.values()) {
      try {
        more |= session.turn(nowNanos);
      } catch (RuntimeException e) {
        LOG.error("{}: could not be followed for a moment", session.stream().replica(), e);
      }
    }
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.error("a change of the engines failed", e);
      }
    }
    return more;
  }

  private void flush() {
    long nowMs = epochMs.getAsLong();
    for (String replica : lostReplicas.get()) {
      EngineSession session = sessions.get(replica);
      if (session != null) {
        session.stream().noteLoss();
      }
    }
    sessions.values().forEach(session -> session.stream().flush(nowMs));
    states = sessions.values().stream().map(this::state).toList();
  }

  private EngineState state(EngineSession session) {
    ReplicaStream stream = session.stream();
    return new EngineState(
        stream.replica(),
        stream.model(),
        stream.incarnation(),
        stream.blocks(),
        session.followedBlocks(),
        session.suspectRanks(),
        stream.isBehind(),
        stream.resyncs(),
        counts.get(stream.replica()));
  }

  /** Sends what waits and lets the engines go. */
  @Override
  public void close() {
    closing = true;
    try {
      thread.join(CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
