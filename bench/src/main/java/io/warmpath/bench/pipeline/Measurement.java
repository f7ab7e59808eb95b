package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.CheckpointFigures;
import io.warmpath.bench.contender.Contender;
import io.warmpath.bench.contender.WindowFigures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets a contender read the topic over and over, so that the JVM has compiled what it needs, and
 * then times one more reading.
 */
final class Measurement {

  private static final Duration POLL = Duration.ofMillis(5);
  private static final Duration CHECK = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration RESULTS_PATIENCE = Duration.ofSeconds(60);

  /** Share of the topic that is read before time counts. */
  private static final double LEAD = 0.1;

  private final Task task;
  private final Path folder;

  Measurement(Task task, Path folder) {
    this.task = task;
    this.folder = folder;
  }

  /**
   * Measures.
   *
   * @throws IllegalStateException if the contender fails, or does not come to the topic's end
   */
  MeasuredRun run() {
    warmUp();
    try (Contender contender = start("measured")) {
      awaitEvents(contender, Math.round(LEAD * task.events()));
      long fromEvents = contender.processed();
      ProcessUse before = ProcessUse.now();
      long from = System.nanoTime();
      awaitEvents(contender, task.events());
      double events = task.events() - fromEvents;
      double nanos = System.nanoTime() - from;
      ProcessUse after = ProcessUse.now();
      CheckpointFigures checkpoints = nextCheckpoint(contender);
      List<WindowFigures> windows = windows(contender);
      contender.requireSound();
      return new MeasuredRun(
          contender.processed(),
          events * 1e9 / nanos,
          (after.cpuNanos() - before.cpuNanos()) / 1000 / events,
          after.cpuMicrosSince(before, events),
          (after.allocatedBytes() - before.allocatedBytes()) / events,
          checkpoints,
          windows);
    }
  }

  /** By time, not by readings: compilers take time, and who reads fast would be measured cold. */
  private void warmUp() {
    long endNanos = System.nanoTime() + Duration.ofMillis(task.warmUpMs()).toNanos();
    int readings = 0;
    do {
      try (Contender contender = start("warm-up-" + readings++)) {
        awaitEvents(contender, task.events());
      }
    } while (System.nanoTime() < endNanos);
  }

  private Contender start(String reading) {
    String name = task.setup().name() + "-" + reading;
    return Contenders.start(task.kind(), task.setup().named(name), folder.resolve(reading));
  }

  private void awaitEvents(Contender contender, long events) {
    await(contender, () -> contender.processed() >= events, POLL, PATIENCE);
    if (contender.processed() < events) {
      throw new IllegalStateException(
          task.kind().label() + " has only read " + contender.processed() + " of " + events);
    }
  }

  /** One that was begun after the topic's end was read: of the next two, the second surely was. */
  private CheckpointFigures nextCheckpoint(Contender contender) {
    if (!task.kind().runsOnFlink()) {
      return CheckpointFigures.NONE;
    }
    long before = contender.checkpoints().completed();
    await(
        contender, () -> contender.checkpoints().completed() >= before + 2, POLL, RESULTS_PATIENCE);
    return contender.checkpoints();
  }

  private List<WindowFigures> windows(Contender contender) {
    if (task.kind().makesWindows()) {
      await(contender, () -> finished(contender) >= task.windows(), CHECK, RESULTS_PATIENCE);
    }
    return contender.windows();
  }

  private long finished(Contender contender) {
    return contender.windows().stream()
        .filter(window -> window.endMs() <= task.lastEndMs())
        .count();
  }

  /** Returns when the condition holds, or the time is over. */
  private static void await(
      Contender contender, BooleanSupplier condition, Duration poll, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    long nextCheck = System.nanoTime() + CHECK.toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
      if (System.nanoTime() > nextCheck) {
        contender.requireSound();
        nextCheck = System.nanoTime() + CHECK.toNanos();
      }
      LockSupport.parkNanos(poll.toNanos());
    }
  }
}
