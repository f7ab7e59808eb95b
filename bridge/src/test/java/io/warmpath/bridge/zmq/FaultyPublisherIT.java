package io.warmpath.bridge.zmq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import io.warmpath.bridge.fixture.IndexReader;
import io.warmpath.bridge.fixture.Publisher;
import io.warmpath.bridge.follow.FollowCounts;
import io.warmpath.bridge.follow.ReplaySettings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A publisher that shares nothing with the bridge sends events with gaps, copies, restarts, two
 * ranks and two media. In the end the reader of the bridge's batches holds what is in its caches.
 */
class FaultyPublisherIT {

  private static final ReplaySettings SETTINGS =
      new ReplaySettings(Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ofMillis(200));
  private static final long BOUND_NANOS = TimeUnit.MINUTES.toNanos(5);

  @TempDir private Path folder;

  @Test
  void readersHoldWhatThePublisherHolds() throws Exception {
    followToTheEnd(100_000, 3);
  }

  @Test
  @Tag("faults")
  void readersHoldWhatThePublisherHoldsAfterAMillionEvents() throws Exception {
    followToTheEnd(1_000_000, 5);
  }

  private void followToTheEnd(int events, int restarts) throws Exception {
    IndexReader reader = new IndexReader();
    try (Publisher publisher =
            Publisher.start(folder, "--events", "" + events, "--restarts", "" + restarts);
        EngineLoop loop =
            new EngineLoop(reader, List::of, SETTINGS, 1 << 20, System::currentTimeMillis)) {
      loop.start();
      loop.follow("vllm-0", "m", publisher.addresses());
      awaitMessages(loop, 40);
      long cpuBegan = cpuNanos();
      Publisher.Stage stage = publisher.goOn();
      while (stage.restarting()) {
        awaitMessages(loop, stage.messages());
        stage = publisher.goOn();
      }
      awaitMessages(loop, stage.messages());
      double cpuSeconds = (cpuNanos() - cpuBegan) / 1e9;
      Map<String, Set<Long>> truth = publisher.truth();
      FollowCounts counts = awaitTruth(loop, reader, truth);
      System.out.printf(
          "%d events in %.1f s of one core, %.0f a second; %d blocks in the end; %s batches and"
              + " bytes; gaps %s, copies %s, restarts %s, replays %s%n",
          stage.events(),
          cpuSeconds,
          stage.events() / cpuSeconds,
          truth.values().stream().mapToInt(Set::size).sum(),
          reader.batchesAndBytes(),
          counts.gaps,
          counts.duplicates,
          counts.restarts,
          counts.replays);
      assertEquals(Set.of("gpu", "cpu"), truth.keySet());
      assertEquals(stage.messages(), counts.messages.sum());
      assertEquals(stage.events(), counts.events.sum());
      assertEquals(2L * restarts, counts.restarts.sum());
      assertEquals(0, counts.lost.sum());
      assertEquals(0, reader.holes());
      assertTrue(counts.gaps.sum() > 0 && counts.duplicates.sum() > 0);
      assertEquals(0, counts.malformedMessages.sum() + counts.malformedEvents.sum());
    }
  }

  /** Time that this process has had on all cores: how busy others are does not count. */
  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void awaitMessages(EngineLoop loop, long messages) {
    long deadline = System.nanoTime() + BOUND_NANOS;
    while (loop.states().isEmpty()
        || loop.states().get(0).counts().follow().messages.sum() < messages) {
      pause(deadline, () -> "" + loop.states());
    }
  }

  private static FollowCounts awaitTruth(
      EngineLoop loop, IndexReader reader, Map<String, Set<Long>> truth) {
    long deadline = System.nanoTime() + BOUND_NANOS;
    while (!reader.held().equals(truth)) {
      pause(deadline, () -> loop.states() + " " + difference(reader.held(), truth));
    }
    return loop.states().get(0).counts().follow();
  }

  private static String difference(Map<String, Set<Long>> held, Map<String, Set<Long>> truth) {
    StringBuilder text = new StringBuilder();
    truth.forEach(
        (medium, hashes) -> {
          Set<Long> has = held.getOrDefault(medium, Set.of());
          text.append(medium).append(": missing ");
          text.append(hashes.stream().filter(hash -> !has.contains(hash)).count());
          text.append(", too many ");
          text.append(has.stream().filter(hash -> !hashes.contains(hash)).count()).append("; ");
        });
    return text.toString();
  }

  private static void pause(long deadline, java.util.function.Supplier<String> state) {
    if (System.nanoTime() - deadline > 0) {
      throw new AssertionError("never came there: " + state.get());
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
  }
}
