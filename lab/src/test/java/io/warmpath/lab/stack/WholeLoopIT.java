package io.warmpath.lab.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.StatsRows;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.replay.Replay;
import io.warmpath.lab.replay.ReplayOptions;
import io.warmpath.lab.replay.ReplayReport;
import io.warmpath.lab.replay.SmallTraces;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.StatsFlags;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One replay through the whole stack, and what its topics must hold afterwards. */
class WholeLoopIT {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int CONVERSATIONS = 15;
  private static final int TURNS = 8;
  private static final int REQUESTS = CONVERSATIONS * TURNS;
  private static final long WINDOW_MS = 10_000;
  private static final long SLIDE_MS = 1_000;
  private static final long LONG_WINDOW_MS = 300_000;

  /** Watermark's bound, and the time that all behind it may take. */
  private static final long MOST_DELAY_MS = 2_000 + 3_000;

  private static WarmpathStack stack;
  private static TopicHistory<RequestEvent> requests;
  private static TopicHistory<CacheEventBatch> cacheEvents;
  private static TopicHistory<RoutingStats> stats;
  private static TopicHistory<RoutingWeights> weights;
  private static TopicHistory<DeadLetter> deadLetters;
  private static ReplayReport report;

  @BeforeAll
  static void replay() throws IOException {
    stack =
        WarmpathStack.start(
            new StackConfig(
                StackPorts.FREE,
                3,
                EngineProfile.load("llama-3.1-8b-h100"),
                4,
                "adaptive",
                2,
                Optional.empty()),
            part -> {});
    String kafka = stack.bootstrapServers();
    requests = TopicHistory.follow(kafka, Topics.REQUESTS, Codecs.REQUEST_EVENT);
    cacheEvents = TopicHistory.follow(kafka, Topics.CACHE_EVENTS, Codecs.CACHE_EVENT_BATCH);
    stats = TopicHistory.follow(kafka, Topics.ROUTING_STATS, Codecs.ROUTING_STATS);
    weights = TopicHistory.follow(kafka, Topics.ROUTING_WEIGHTS, Codecs.ROUTING_WEIGHTS);
    deadLetters = TopicHistory.follow(kafka, Topics.DEAD_LETTERS, Codecs.DEAD_LETTER);
    report =
        new Replay(
                SmallTraces.conversations(CONVERSATIONS, TURNS, 400, 1),
                new ReplayOptions(
                    stack.balancer(), StackConfig.MODEL, 4, Duration.ofSeconds(60), 1000))
            .run(progress -> {});
  }

  @AfterAll
  static void stop() {
    Stream.of(requests, cacheEvents, stats, weights, deadLetters).forEach(TopicHistory::close);
    stack.close();
  }

  @Test
  void everyRequestIsAnswered() {
    assertEquals(Map.of(), report.errors());
    assertEquals(REQUESTS, report.ok());
  }

  @Test
  void eachRequestHasExactlyOneFinishedEvent() {
    List<Finished> finished = finished();

    Set<String> ids = new HashSet<>();
    finished.forEach(one -> assertTrue(ids.add(one.context().requestId())));
    assertEquals(REQUESTS, finished.size());
    finished.forEach(one -> assertEquals(Outcome.OK, one.outcome()));
  }

  @Test
  void disjointWindowsHoldEachRequestOnce() {
    List<RoutingStats> totals = totals();

    assertEquals(REQUESTS, totals.stream().mapToLong(RoutingStats::requests).sum());
    assertEquals(REQUESTS, totals.stream().mapToLong(row -> row.ttft().count()).sum());
    assertEquals(
        report.cachedTokens(), totals.stream().mapToLong(RoutingStats::cachedTokens).sum());
    assertEquals(
        report.promptTokens(), totals.stream().mapToLong(RoutingStats::promptTokens).sum());
  }

  @Test
  void inEveryRowTheFatesAddUpToThePrompt() {
    totals();
    for (Seen<RoutingStats> seen : stats.records()) {
      RoutingStats row = seen.value();
      LostTokens lost = row.lostTokens();
      assertEquals(
          row.promptTokens(),
          row.cachedTokens()
              + lost.indexOver()
              - lost.indexUnder()
              + lost.routing()
              + lost.loadJustified()
              + lost.capacity()
              + lost.neverSeen(),
          row::toString);
    }
  }

  @Test
  void cacheEventsAndUsageGiveTheSameHitTokens() {
    Map<String, Long> byUsage = new HashMap<>();
    for (Finished one : finished()) {
      assertNotNull(one.cachedTokens());
      byUsage.put(one.context().requestId(), one.cachedTokens());
    }

    Map<String, Long> byEngine =
        cacheEvents
            .await(
                batches -> {
                  Map<String, Long> cached = prefills(batches);
                  return cached.size() < REQUESTS ? Optional.empty() : Optional.of(cached);
                },
                PATIENCE)
            .orElseThrow();

    assertEquals(byUsage, byEngine);
    assertTrue(report.cachedTokens() > 0);
    assertEquals(
        report.cachedTokens(),
        totals().stream()
            .filter(row -> row.prefill() != null)
            .mapToLong(row -> row.prefill().cachedTokens())
            .sum());
  }

  @Test
  void usagePrefillEventsAndCountersAgree() {
    RoutingStats row =
        stats
            .await(
                rows ->
                    rows.stream()
                        .map(Seen::value)
                        .filter(each -> each.isTotal() && each.windowSizeMs() == LONG_WINDOW_MS)
                        .filter(each -> each.requests() == REQUESTS && each.counters() != null)
                        .filter(each -> each.counters().queriedTokens() >= report.promptTokens())
                        .findFirst(),
                PATIENCE)
            .orElseThrow();

    assertEquals(report.cachedTokens(), row.cachedTokens());
    assertEquals(report.cachedTokens(), row.prefill().cachedTokens());
    assertEquals(report.cachedTokens(), row.counters().hitTokens());
    assertEquals(row.tokenHitRate(), row.prefill().tokenHitRate());
    assertEquals(row.tokenHitRate(), row.counters().tokenHitRate());
    assertEquals(0, row.cache().gaps());
    assertEquals(new StatsFlags(false, false, false), row.flags());
  }

  @Test
  void weightsReachTheBalancerSoonAfterTheirWindowEnds() throws Exception {
    List<Long> writtenAfterMs = new ArrayList<>();
    List<Long> knownAfterMs = new ArrayList<>();
    for (int window = 0; window < 3; window++) {
      Seen<RoutingWeights> last = awaitWeightsAfter(System.currentTimeMillis());
      writtenAfterMs.add(last.timestampMs() - last.value().windowEndMs());
      awaitEpochInMetrics(last.value().epoch());
      knownAfterMs.add(System.currentTimeMillis() - last.value().windowEndMs());
    }

    assertMiddleInTime("written", writtenAfterMs);
    assertMiddleInTime("known", knownAfterMs);
  }

  /** Of three, the middle one: a stall of a busy machine is no fault of the loop. */
  private static void assertMiddleInTime(String what, List<Long> delaysMs) {
    List<Long> sorted = delaysMs.stream().sorted().toList();
    assertTrue(sorted.get(sorted.size() / 2) <= MOST_DELAY_MS, () -> what + " after ms: " + sorted);
  }

  @Test
  void aMalformedRecordLandsAmongTheDeadLettersAndTheJobStaysUp() throws Exception {
    byte[] malformed = "{\"v\":1,\"type\":\"finished\",".getBytes(StandardCharsets.UTF_8);
    RecordMetadata written;
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", stack.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      written = producer.send(new ProducerRecord<>(Topics.REQUESTS, malformed)).get();
    }

    DeadLetter letter =
        deadLetters
            .await(letters -> letters.stream().map(Seen::value).findFirst(), PATIENCE)
            .orElseThrow();

    assertEquals(Topics.REQUESTS, letter.topic());
    assertEquals(written.partition(), letter.partition());
    assertEquals(written.offset(), letter.offset());
    assertEquals("not_json", letter.reason().toString().toLowerCase(Locale.ROOT));
    // Later windows still come: the job neither failed nor started again.
    awaitWeightsAfter(System.currentTimeMillis());
    stack
        .jobs()
        .forEach(
            job -> {
              assertEquals(JobStatus.RUNNING, job.status());
              assertEquals(0, job.restarts());
            });
  }

  @Test
  void noEventWasLost() {
    finished();
    assertFalse(
        requests.records().stream().anyMatch(seen -> seen.value().context().eventsDropped() > 0));
  }

  private static List<Finished> finished() {
    return requests
        .await(
            events -> {
              List<Finished> finished =
                  events.stream()
                      .map(Seen::value)
                      .filter(Finished.class::isInstance)
                      .map(Finished.class::cast)
                      .toList();
              return finished.size() < REQUESTS ? Optional.empty() : Optional.of(finished);
            },
            PATIENCE)
        .orElseThrow();
  }

  /** The totals of disjoint windows that cover the whole replay. */
  private static List<RoutingStats> totals() {
    List<Finished> finished = finished();
    long endMs =
        finished.stream().mapToLong(one -> one.context().eventTimeMs()).max().orElseThrow();
    long startMs =
        requests.records().stream()
            .mapToLong(seen -> seen.value().context().eventTimeMs())
            .min()
            .orElseThrow();
    return stats
        .await(
            rows ->
                StatsRows.cover(
                    rows,
                    RoutingStats.ALL,
                    RoutingStats.ALL,
                    startMs,
                    StatsRows.firstEndAfter(endMs, SLIDE_MS),
                    WINDOW_MS),
            PATIENCE)
        .orElseThrow();
  }

  private static Map<String, Long> prefills(List<Seen<CacheEventBatch>> batches) {
    Map<String, Long> cached = new HashMap<>();
    for (Seen<CacheEventBatch> batch : batches) {
      for (CacheEvent event : batch.value().events()) {
        if (event instanceof CacheEvent.Prefill prefill) {
          cached.put(prefill.requestId(), prefill.cachedTokens());
        }
      }
    }
    return cached;
  }

  private static void awaitEpochInMetrics(long epoch) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(stack.admin().resolve("/metrics")).build();
    Pattern metric = Pattern.compile("(?m)^warmpath_weights_epoch\\{.*} (\\d+)");
    HttpClient http = HttpClient.newHttpClient();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      String page = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      Matcher found = metric.matcher(page);
      assertTrue(found.find(), page);
      if (Long.parseLong(found.group(1)) >= epoch) {
        return;
      }
    }
    fail("the balancer's metrics never showed epoch " + epoch);
  }

  private static Seen<RoutingWeights> awaitWeightsAfter(long timeMs) {
    return weights
        .await(
            all -> all.stream().filter(seen -> seen.value().epoch() > timeMs).findFirst(), PATIENCE)
        .orElseThrow();
  }
}
