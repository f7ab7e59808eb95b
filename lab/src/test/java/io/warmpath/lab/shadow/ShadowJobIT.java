package io.warmpath.lab.shadow;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.ShadowPolicyJob;
import io.warmpath.jobs.config.ShadowJobConfig;
import io.warmpath.lab.embedded.EmbeddedFlink;
import io.warmpath.lab.embedded.EmbeddedJob;
import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.exactness.LogWriter;
import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.replay.SmallTraces;
import io.warmpath.lab.simulate.FifoSimulation;
import io.warmpath.lab.simulate.FleetOptions;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.lab.trace.Trace;
import io.warmpath.routing.shadow.SampleRate;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.topic.TopicSpec;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shadow job follows a fleet under {@code round_robin} on Kafka, is stopped half way and goes
 * on at another parallelism: its rows add up to what a run of the other policies gives.
 */
class ShadowJobIT {

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final long WINDOW_MS = 60_000;
  private static final long AGE_MS = 3_600_000;

  private static final int REQUESTS = 3_000;
  private static final int GAP_MS = 200;
  private static final int REPLICAS = 4;
  private static final List<String> POLICIES = List.of("prefix_affinity", "adaptive");

  /** All far from where it tips whether conversations stay, see docs/shadow.md. */
  private static final int CAPACITY_BLOCKS = 1_500;

  private static final List<Double> FACTORS = List.of(0.5, 1.0);
  private static final List<Double> RATES = List.of(1.0, 0.1);

  /** State beside the caches: requests known again, open ones, those that wait, offsets. */
  private static final long OTHER_STATE_BYTES = 128 * 1024;

  @TempDir private static Path folder;

  private EmbeddedKafka kafka;
  private EmbeddedFlink flink;
  private LogWriter writer;

  @BeforeEach
  void start() {
    kafka = EmbeddedKafka.start(0);
    flink = EmbeddedFlink.start(2 * RATES.size());
    try (TopicCreator topics =
        new TopicCreator(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      assertTrue(topics.create(Topics.ALL, (short) 1).good());
    }
    writer = new LogWriter(kafka.bootstrapServers());
  }

  @AfterEach
  void stop() {
    writer.close();
    flink.close();
    kafka.close();
  }

  @Test
  void agreesWithRunsOfThePoliciesAcrossAStop() throws Exception {
    // Whole windows ago, so that they lie alike in the trace whenever the test runs.
    long startMs = (System.currentTimeMillis() - AGE_MS) / WINDOW_MS * WINDOW_MS;
    Trace trace = SmallTraces.comingAndGoing(REQUESTS, GAP_MS, 1);
    RecordedRun live =
        RecordedRun.of(
            trace, FleetOptions.of(REPLICAS, CAPACITY_BLOCKS), "round_robin", 1, startMs);
    long endMs = startMs + trace.arrivalMicros(REQUESTS - 1) / 1_000;
    long halfMs = startMs + (endMs - startMs) / 2;
    List<Long> windows = windowEnds(startMs, endMs);
    try (TopicHistory<ShadowStats> rows =
        TopicHistory.follow(kafka.bootstrapServers(), Topics.SHADOW_STATS, Codecs.SHADOW_STATS)) {
      write(live, 0, halfMs);
      Map<Double, EmbeddedJob> jobs = new HashMap<>();
      RATES.forEach(rate -> jobs.put(rate, flink.run(name(rate), 2, env -> attach(env, rate))));
      await(rows, windows.stream().filter(end -> end < halfMs).toList());
      Map<Double, String> half = stop(jobs);

      write(live, halfMs, Long.MAX_VALUE);
      letTimePass(live, endMs + 2 * WINDOW_MS);
      RATES.forEach(
          rate ->
              jobs.put(
                  rate, flink.runFrom(half.get(rate), name(rate), 1, env -> attach(env, rate))));
      await(rows, windows);
      Map<Double, String> end = stop(jobs);

      List<Executable> checks = new ArrayList<>();
      for (double rate : RATES) {
        checks.add(() -> assertBounded(rate, Path.of(URI.create(half.get(rate)))));
        checks.add(() -> assertBounded(rate, Path.of(URI.create(end.get(rate)))));
        for (String policy : POLICIES) {
          List<ShadowStats> told = rowsOf(rows, rate, policy);
          checks.add(() -> assertWhole(trace, windows, told));
          for (double factor : FACTORS) {
            checks.add(() -> assertAgreesOnlyWith(policy, trace, factor, told));
          }
        }
      }
      assertAll(checks);
    }
  }

  private static List<Long> windowEnds(long startMs, long endMs) {
    return Stream.iterate(startMs + WINDOW_MS, end -> end - WINDOW_MS <= endMs, e -> e + WINDOW_MS)
        .toList();
  }

  private static String name(double rate) {
    return "shadow-" + rate;
  }

  /**
   * The log's minutes pass in seconds, so a partition that a slow machine reads a second later than
   * others would be minutes behind: each is waited for.
   */
  private void attach(StreamExecutionEnvironment env, double rate) {
    ShadowPolicyJob.attach(
        env,
        ShadowJobConfig.parse(
            "--bootstrap-servers",
            kafka.bootstrapServers(),
            "--group-id",
            name(rate),
            "--policies",
            String.join(",", POLICIES),
            "--capacity-factors",
            "0.5,1,2",
            "--capacity-blocks",
            String.valueOf(CAPACITY_BLOCKS),
            "--sample-rate",
            String.valueOf(rate),
            "--idleness",
            "60s",
            "--max-drift",
            "10m"));
  }

  /** Writes what happened in a stretch of time, each record with that time. */
  private void write(RecordedRun live, long fromMs, long toMs) {
    for (RoutingWeights weights : live.weights()) {
      long timeMs = RecordedRun.timeMs(weights);
      if (timeMs >= fromMs && timeMs < toMs) {
        write(weights);
      }
    }
    for (RequestEvent event : live.events()) {
      long timeMs = event.context().eventTimeMs();
      if (timeMs >= fromMs && timeMs < toMs) {
        write(null, event);
      }
    }
    writer.flush();
  }

  private void write(RoutingWeights weights) {
    writer.accept(
        new ProducerRecord<>(
            Topics.ROUTING_WEIGHTS,
            null,
            RecordedRun.timeMs(weights),
            weights.model().getBytes(StandardCharsets.UTF_8),
            Codecs.ROUTING_WEIGHTS.encode(weights)));
  }

  private void write(Integer partition, RequestEvent event) {
    writer.accept(
        new ProducerRecord<>(
            Topics.REQUESTS,
            partition,
            event.context().eventTimeMs(),
            event.context().requestId().getBytes(StandardCharsets.UTF_8),
            Codecs.REQUEST_EVENT.encode(event)));
  }

  /** So that all windows are over: in each partition something comes behind them. */
  private void letTimePass(RecordedRun live, long timeMs) {
    RoutingWeights last = live.weights().get(live.weights().size() - 1);
    write(
        new RoutingWeights(
            last.model(),
            timeMs,
            timeMs + WINDOW_MS,
            timeMs,
            last.backlogShare(),
            last.frozen(),
            last.replicas(),
            last.policies()));
    TopicSpec requests =
        Topics.ALL.stream().filter(topic -> topic.name().equals(Topics.REQUESTS)).findAny().get();
    for (int partition = 0; partition < requests.partitions(); partition++) {
      write(partition, live.tick(timeMs));
    }
    writer.flush();
  }

  /** Waits for the rows of both jobs. */
  private static void await(TopicHistory<ShadowStats> rows, List<Long> windows) {
    assertTrue(
        rows.await(
                all ->
                    all.size() < RATES.size() * POLICIES.size() * windows.size()
                        ? Optional.empty()
                        : Optional.of(all.size()),
                PATIENCE)
            .isPresent(),
        () -> "no rows of all windows: " + rows.records());
  }

  private static Map<Double, String> stop(Map<Double, EmbeddedJob> jobs) {
    Map<Double, String> savepoints = new HashMap<>();
    jobs.forEach(
        (rate, job) -> {
          assertEquals(0, job.restarts());
          savepoints.put(rate, job.stopWithSavepoint(folder));
        });
    return savepoints;
  }

  private static List<ShadowStats> rowsOf(
      TopicHistory<ShadowStats> rows, double rate, String policy) {
    double share = new SampleRate(rate).share();
    return rows.records().stream()
        .map(Seen::value)
        .filter(row -> row.policy().equals(policy) && Math.abs(row.sampleRate() - share) < 1e-6)
        .toList();
  }

  /** Each window is told of once, and each request counts in one. */
  private static void assertWhole(Trace trace, List<Long> windows, List<ShadowStats> rows) {
    assertEquals(windows, rows.stream().map(ShadowStats::windowEndMs).toList());
    assertEquals(trace.size(), rows.stream().mapToLong(ShadowStats::requests).sum());
  }

  /**
   * Says what a run of the policy gives, so well that a run of the other one gives something else.
   */
  private static void assertAgreesOnlyWith(
      String policy, Trace trace, double factor, List<ShadowStats> rows) {
    long prompt = 0;
    long cached = 0;
    double error = 0;
    for (ShadowStats row : rows) {
      ShadowStats.Capacity capacity =
          row.capacities().stream().filter(c -> c.factor() == factor).findAny().orElseThrow();
      prompt += row.promptTokens();
      cached += capacity.cachedTokens();
      // All windows are sampled by the same blocks, so that their errors may add up in full. Where
      // nothing is sampled, load that is simulated is all that can be off.
      error +=
          row.promptTokens()
              * (row.sampleRate() == 1
                  ? capacity.tokenHitRateModelError()
                  : capacity.tokenHitRateError());
    }
    double told = (double) cached / prompt;
    double most = error / prompt;
    for (String each : POLICIES) {
      FleetOptions fleet = FleetOptions.of(REPLICAS, (int) Math.round(factor * CAPACITY_BLOCKS));
      double real = FifoSimulation.run(trace, fleet, each).tokenHitRate();
      String name =
          "%s at %.1fx and rate %.1f: %.4f ± %.4f, a run of %s: %.4f"
              .formatted(policy, factor, rows.get(0).sampleRate(), told, most, each, real);
      System.out.println("shadow: " + name);
      assertEquals(each.equals(policy), Math.abs(told - real) <= most, name);
    }
  }

  /** State is at most what full caches of all policies and capacities take. */
  private static void assertBounded(double rate, Path savepoint) throws IOException {
    long bytes;
    try (Stream<Path> files = Files.walk(savepoint)) {
      bytes = files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
    double blocks = (0.5 + 1 + 2) * CAPACITY_BLOCKS * REPLICAS * POLICIES.size();
    double most = OTHER_STATE_BYTES + Long.BYTES * blocks * rate;
    System.out.printf("shadow: state at rate %s is %d bytes, at most %.0f%n", rate, bytes, most);
    assertTrue(bytes <= most, () -> bytes + " bytes at rate " + rate);
  }
}
