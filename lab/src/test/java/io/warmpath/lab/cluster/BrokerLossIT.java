package io.warmpath.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.events.EventSettings;
import io.warmpath.lab.Await;
import io.warmpath.lab.balancer.KafkaBalancer;
import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.replay.Replay;
import io.warmpath.lab.replay.ReplayOptions;
import io.warmpath.lab.replay.ReplayReport;
import io.warmpath.lab.replay.SmallTraces;
import io.warmpath.lab.truth.Backlog;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A balancer under load loses its broker: no request feels it, and what is lost is counted. */
class BrokerLossIT {

  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /** Of each request that is answered: routed, first token, finished. */
  private static final int EVENTS_PER_REQUEST = 3;

  /** Mean time between requests. */
  private static final int GAP_MS = 5;

  private static final int QUIET_REQUESTS = 400;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  private KafkaBalancer balancer;
  private int requests;

  @Test
  void aBrokerThatIsAwayForSecondsCostsNoRequest() throws Exception {
    loseBrokerFor(1_000, new EventSettings(2_000, Duration.ofSeconds(5), 0.1));
  }

  @Test
  @Tag("faults")
  void aBrokerThatIsAwayForThreeMinutesCostsNoRequest() throws Exception {
    loseBrokerFor(180_000 / GAP_MS, EventSettings.DEFAULTS);
  }

  private void loseBrokerFor(int requestsMeanwhile, EventSettings events) throws Exception {
    assertTrue(
        requestsMeanwhile * EVENTS_PER_REQUEST > events.buffer(), "the buffer must overflow");
    try (BrokerProcess broker = BrokerProcess.start(folder);
        KafkaBalancer started = KafkaBalancer.start(broker.bootstrapServers(), events)) {
      balancer = started;
      answerAll("there, all cold", QUIET_REQUESTS);
      answerAll("there", QUIET_REQUESTS);
      awaitAllDelivered();
      assertEquals(0, dropped());

      broker.kill();
      answerAll("away", requestsMeanwhile);
      assertEquals(events.buffer(), balancer.metric("warmpath_balancer_events_buffered"));
      assertEquals(
          requestsMeanwhile * EVENTS_PER_REQUEST - events.buffer(),
          dropped(),
          "the buffer keeps the first, the rest is counted");

      broker.restart();
      answerAll("back", QUIET_REQUESTS);
      awaitAllDelivered();
      followsNewWeights();
      answerAll("back for long", 1);
      awaitAllDelivered();
      assertTopicHolds(broker.bootstrapServers());
    }
  }

  private void answerAll(String when, int count) throws IOException {
    ReplayReport report =
        new Replay(
                SmallTraces.conversations(count, 1, GAP_MS, 1),
                new ReplayOptions(
                    balancer.url(), KafkaBalancer.MODEL, 1, Duration.ofSeconds(60), 1_000))
            .run(progress -> {});
    requests += count;
    assertEquals(Map.of(), report.errors());
    assertEquals(count, report.ok());
    System.out.printf(
        "broker %s: %d requests, first token after %d µs (p50), %d µs (p99)%n",
        when, count, report.ttftP50Us(), report.ttftP99Us());
  }

  private void awaitAllDelivered() {
    Await.until(
        "Kafka confirms every event",
        PATIENCE,
        () -> balancer.metric("warmpath_balancer_events_buffered") == 0);
  }

  private long dropped() {
    return (long) balancer.metric("warmpath_balancer_events_dropped_total");
  }

  private void followsNewWeights() throws Exception {
    long now = System.currentTimeMillis();
    balancer.publish(KafkaBalancer.MODEL, now, now + 3_600_000, 1.5);
    Await.until("new weights", PATIENCE, () -> balancer.weights().equals(List.of(1.5, 0.5)));
  }

  /** What is on the topic is what happened but for what was counted, each once. */
  private void assertTopicHolds(String bootstrapServers) throws Exception {
    long emitted = (long) balancer.metric("warmpath_balancer_events_total");
    assertEquals((long) requests * EVENTS_PER_REQUEST, emitted);
    long expected = emitted - dropped();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      Map<?, Long> ends = Backlog.ends(admin, Topics.REQUESTS);
      assertEquals(expected, ends.values().stream().mapToLong(Long::longValue).sum());
    }
    try (TopicHistory<RequestEvent> history =
        TopicHistory.follow(bootstrapServers, Topics.REQUESTS, Codecs.REQUEST_EVENT)) {
      List<RequestEvent> events =
          history
              .await(
                  all ->
                      all.size() < expected
                          ? Optional.empty()
                          : Optional.of(all.stream().map(Seen::value).toList()),
                  PATIENCE)
              .orElseThrow();
      assertEquals(
          expected,
          events.stream()
              .map(event -> event.context().requestId() + event.getClass())
              .collect(Collectors.toSet())
              .size());
      long told =
          events.stream().mapToLong(event -> event.context().eventsDropped()).max().orElse(0);
      assertEquals(dropped(), told, "a reader of the topic sees the gap");
    }
  }
}
