package io.warmpath.replica.api;

import io.warmpath.replica.events.CacheEventLog;
import io.warmpath.replica.fault.Faults;
import io.warmpath.replica.metrics.ReplicaMetrics;
import io.warmpath.replica.realtime.EngineSnapshot;
import io.warmpath.replica.realtime.RealTimeEngine;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What generations share, and the list of the open ones. Event loop only, but for the parts. */
public final class GenerationHost {

  private final RealTimeEngine engine;
  private final CacheEventLog events;
  private final ReplicaMetrics metrics;
  private final StepOutbox outbox;
  private final Faults faults;
  private final Consumer<EngineSnapshot> onRestart;
  private final Set<Generation> open = new HashSet<>();

  /**
   * @param onRestart runs on the engine's thread when it starts anew: events begin again
   */
  public GenerationHost(
      RealTimeEngine engine,
      CacheEventLog events,
      ReplicaMetrics metrics,
      StepOutbox outbox,
      Faults faults,
      Consumer<EngineSnapshot> onRestart) {
    this.engine = engine;
    this.events = events;
    this.metrics = metrics;
    this.outbox = outbox;
    this.faults = faults;
    this.onRestart = onRestart;
  }

  RealTimeEngine engine() {
    return engine;
  }

  CacheEventLog events() {
    return events;
  }

  ReplicaMetrics metrics() {
    return metrics;
  }

  StepOutbox outbox() {
    return outbox;
  }

  Faults faults() {
    return faults;
  }

  int open() {
    return open.size();
  }

  void start(Generation generation) {
    open.add(generation);
    generation.start();
  }

  void ended(Generation generation) {
    open.remove(generation);
  }

  /** Ends all open generations, because the engine is gone. */
  public void failAll() {
    List<Generation> all = List.copyOf(open);
    open.clear();
    all.forEach(Generation::fail);
  }

  /**
   * Does what a crash and a new start under the same name do: open generations end, the cache is
   * empty and nobody is told, events and metrics begin again.
   */
  void restart() {
    // The engine drops their sequences before it does what follows.
    failAll();
    engine.restart(onRestart);
    metrics.restart(engine.snapshot());
  }
}
