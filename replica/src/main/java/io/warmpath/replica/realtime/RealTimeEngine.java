package io.warmpath.replica.realtime;

import io.warmpath.replica.engine.BatchEngine;
import io.warmpath.replica.engine.Sequence;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * An engine in real time. One thread owns it; other threads hand it commands, which take effect in
 * order. Time runs {@code timeScale} times faster than real, and every time and duration that goes
 * in or out is in microseconds of that model time.
 */
public final class RealTimeEngine implements AutoCloseable {

  private static final long JOIN_MS = 5_000;

  private final BatchEngine engine;
  private final double timeScale;
  private final EngineLoop loop;
  private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
  private final String threadName;
  private final long originNanos = System.nanoTime();
  private volatile Thread thread;
  private volatile EngineSnapshot snapshot;
  private volatile double speed = 1;
  private volatile long driftEndUs;
  private volatile long stallEndUs;
  private volatile boolean closed;
  private volatile boolean failed;

  /**
   * An engine that waits for {@link #start}.
   *
   * @param name name of its thread
   * @param engine belongs to this one from now on
   * @param timeScale how much faster than real, at least 1
   * @param afterStep runs on the engine's thread after each step, when all listeners have heard
   */
  public RealTimeEngine(String name, BatchEngine engine, double timeScale, Runnable afterStep) {
    this.engine = Objects.requireNonNull(engine, "engine");
    this.timeScale = timeScale;
    loop = new EngineLoop(engine, afterStep);
    snapshot = EngineSnapshot.of(engine);
    threadName = name;
  }

  /**
   * Starts the engine's thread.
   *
   * @param onFailure hears, on that thread, of the fault that ended the engine
   */
  public void start(Consumer<Throwable> onFailure) {
    Thread started = new Thread(() -> run(onFailure), threadName);
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  /** Now on the engine's timeline. */
  public long nowUs() {
    return (long) ((System.nanoTime() - originNanos) * timeScale / 1_000);
  }

  /** Queues a sequence, of which {@link #requireFits} must hold. */
  public void submit(Sequence sequence) {
    command(() -> engine.submit(sequence, nowUs()));
  }

  /** As {@link BatchEngine#requireFits}. */
  public void requireFits(long promptTokens, long outputTokens) {
    engine.requireFits(promptTokens, outputTokens);
  }

  /** Drops a sequence; its listener may still hear of a step that just ended. */
  public void abort(Sequence sequence) {
    command(() -> engine.abort(sequence));
  }

  /** Empties the prefix cache. */
  public void clearCache() {
    command(() -> engine.cache().clear());
  }

  /**
   * Empties the cache as if the engine had been started anew.
   *
   * @param onEngine runs on the engine's thread right after
   */
  public void restart(Consumer<EngineSnapshot> onEngine) {
    command(
        () -> {
          engine.cache().clear();
          onEngine.accept(EngineSnapshot.of(engine));
        });
  }

  /**
   * Makes the engine faster or slower from its next step on.
   *
   * @param factor above 0; 1 = as the profile says
   */
  public void setSpeed(double factor) {
    driftSpeed(factor, 0);
  }

  /**
   * Makes the engine faster or slower bit by bit, from its next step on.
   *
   * @param factor above 0, reached after {@code durationUs}
   */
  public void driftSpeed(double factor, long durationUs) {
    if (!(factor > 0 && factor <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("speed factor is " + factor + ", must be above 0");
    }
    speed = factor;
    long fromUs = nowUs();
    driftEndUs = fromUs + durationUs;
    command(() -> engine.driftSpeed(factor, fromUs, fromUs + durationUs));
  }

  /** The factor set last, which a drift may not have reached yet. */
  public double speed() {
    return speed;
  }

  /** Until the speed is the one set last; 0 if it is. */
  public long driftLeftUs() {
    return Math.max(0, driftEndUs - nowUs());
  }

  /** Lets no step start for a time from now on; 0 ends a stall. */
  public void stall(long durationUs) {
    long untilUs = nowUs() + durationUs;
    stallEndUs = untilUs;
    command(() -> engine.stallUntil(untilUs));
  }

  /** Until steps start again; 0 if they do. */
  public long stallLeftUs() {
    return Math.max(0, stallEndUs - nowUs());
  }

  /** The figures after the last change. */
  public EngineSnapshot snapshot() {
    return snapshot;
  }

  /** Whether the engine ended by a fault. */
  public boolean failed() {
    return failed;
  }

  /** Stops the engine. Its sequences hear no more. */
  @Override
  public void close() {
    closed = true;
    Thread started = thread;
    if (started == null) {
      return;
    }
    LockSupport.unpark(started);
    try {
      started.join(JOIN_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void command(Runnable command) {
    commands.add(command);
    LockSupport.unpark(thread);
  }

  private void run(Consumer<Throwable> onFailure) {
    try {
      while (!closed) {
        runCommands();
        long dueUs = loop.advance(nowUs());
        snapshot = EngineSnapshot.of(engine);
        if (commands.isEmpty() && !closed) {
          parkUntil(dueUs);
        }
      }
    } catch (RuntimeException | Error e) {
      failed = true;
      onFailure.accept(e);
    }
  }

  private void runCommands() {
    for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
      command.run();
    }
  }

  private void parkUntil(long dueUs) {
    if (dueUs == BatchEngine.NEVER) {
      LockSupport.park(this);
      return;
    }
    long nanos = (long) ((dueUs - nowUs()) * 1_000 / timeScale);
    if (nanos > 0) {
      LockSupport.parkNanos(this, nanos);
    }
  }
}
