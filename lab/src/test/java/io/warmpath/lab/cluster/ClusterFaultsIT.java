package io.warmpath.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.window.PaneRing;
import io.warmpath.lab.Await;
import io.warmpath.lab.synthetic.SyntheticFleet;
import io.warmpath.lab.synthetic.SyntheticRequests;
import io.warmpath.lab.truth.Backlog;
import io.warmpath.lab.truth.StatsTopic;
import io.warmpath.lab.truth.Truth;
import io.warmpath.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stats job on a real cluster, from the jar that is deployed, while everything that can be
 * killed is killed: what stands on the topic in the end is what was sent.
 */
@Tag("faults")
class ClusterFaultsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /** What piled up while everything was down is read on whatever the machine has left. */
  private static final Duration CATCHING_UP = Duration.ofMinutes(10);

  private static final int EVENTS_PER_SECOND =
      Integer.getInteger("warmpath.faults.events-per-second", 20_000);
  private static final int QUIET_EVENTS = 8 * EVENTS_PER_SECOND;
  private static final String GROUP = "warmpath-routing-stats";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  private BrokerProcess broker;
  private FlinkCluster flink;
  private SteadyLoad load;
  private String job;
  private String delivery;

  @ParameterizedTest
  @ValueSource(strings = {"at-least-once", "exactly-once"})
  void whateverIsKilledEveryWindowIsTheTruth(String delivery) throws Exception {
    this.delivery = delivery;
    Truth truth = new Truth();
    SyntheticRequests requests =
        new SyntheticRequests(SyntheticFleet.of(List.of("model-a", "model-b"), 8), 11);
    try (BrokerProcess startedBroker = BrokerProcess.start(folder);
        FlinkCluster startedFlink = FlinkCluster.start(folder, 2);
        SteadyLoad startedLoad =
            SteadyLoad.start(
                startedBroker.bootstrapServers(), requests, truth, EVENTS_PER_SECOND)) {
      broker = startedBroker;
      flink = startedFlink;
      load = startedLoad;
      submit(2, null);
      killAllInTurn();
      rescale(1);
      rescale(2);
      finish(truth);
    }
  }

  private void killAllInTurn() throws Exception {
    someMoreTraffic();
    survive(
        "task manager",
        () -> {
          flink.killTaskManager();
          flink.startTaskManager();
        });
    assertTrue(flink.rest().restored(job) > 0, "the task manager's loss was not even noticed");
    someMoreTraffic();
    survive(
        "job manager",
        () -> {
          flink.killJobManager();
          flink.startJobManager();
        });
    assertTrue(flink.rest().restored(job) > 0, "the job manager's loss was not even noticed");
    someMoreTraffic();
    survive(
        "broker",
        () -> {
          broker.kill();
          broker.restart();
        });
    someMoreTraffic();
  }

  /** Kills something and waits until the job takes checkpoints again. */
  private void survive(String what, ThrowingRunnable kill) throws Exception {
    long before = flink.rest().lastCheckpoint(job);
    long start = System.nanoTime();
    kill.run();
    // One may have been under way and be completed by what still lives; none after it.
    awaitCheckpoint(before + 2);
    report("killed the " + what + ": recovered", start);
  }

  private void rescale(int parallelism) throws Exception {
    long start = System.nanoTime();
    String savepoint = flink.stop(job, PATIENCE);
    submit(parallelism, savepoint);
    report("stopped with a savepoint, parallelism " + parallelism + ": running", start);
    someMoreTraffic();
  }

  private void submit(int parallelism, String savepoint) throws Exception {
    Path jar = ClassPath.jobsJar();
    List<String> arguments =
        List.of(
            "--bootstrap-servers",
            broker.bootstrapServers(),
            "--checkpoint-interval",
            "2s",
            "--delivery",
            delivery);
    job = flink.run(jar, RoutingStatsJob.class.getName(), parallelism, savepoint, arguments);
    awaitCheckpoint(1);
  }

  private void awaitCheckpoint(long atLeast) {
    Await.until(
        "the job runs and takes checkpoints",
        PATIENCE,
        () -> flink.rest().isRunning(job) && flink.rest().lastCheckpoint(job) >= atLeast);
  }

  private void someMoreTraffic() {
    long goal = load.acknowledged() + QUIET_EVENTS;
    Await.until("traffic goes on", PATIENCE, () -> load.acknowledged() >= goal);
  }

  private void finish(Truth truth) throws Exception {
    double eventsPerSecond = load.stop();
    System.out.printf("faults: %d events at %.0f a second%n", load.acknowledged(), eventsPerSecond);
    awaitAllRead();
    // Beyond the longest window, so that all are over; not so far that panes are forgotten.
    load.letTimePass(PaneRing.RETENTION.toMillis() + 10_000);
    awaitAllRead();
    try (StatsTopic stats = new StatsTopic(broker.bootstrapServers())) {
      stats.readOn();
      System.out.printf(
          "faults: %s: %d rows, %d of them repeated, of %d keys and windows%n",
          delivery, stats.records(), stats.repeated(), stats.lastRows().size());
      truth.compare(config().windows(), stats.lastRows()).assertNone();
      if (delivery.equals("exactly-once")) {
        assertEquals(0, stats.repeated());
      }
    }
    assertEquals(EVENTS_PER_SECOND, eventsPerSecond, 0.05 * EVENTS_PER_SECOND);
  }

  private StatsJobConfig config() {
    return StatsJobConfig.parse("--bootstrap-servers", broker.bootstrapServers());
  }

  /** Waits until a checkpoint says that all is read, and a later one that all is written. */
  private void awaitAllRead() throws Exception {
    Backlog.awaitNone(broker.bootstrapServers(), Topics.REQUESTS, GROUP, CATCHING_UP);
    awaitCheckpoint(flink.rest().lastCheckpoint(job) + 2);
  }

  private static void report(String what, long startNanos) {
    System.out.printf("faults: %s after %.1f s%n", what, (System.nanoTime() - startNanos) / 1e9);
  }

  private interface ThrowingRunnable {
    void run() throws Exception;
  }
}
