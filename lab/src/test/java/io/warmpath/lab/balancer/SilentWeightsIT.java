package io.warmpath.lab.balancer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.events.EventSettings;
import io.warmpath.lab.Await;
import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.topic.Topics;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The weights topic falls silent, repeats itself and speaks again, under a running balancer. */
class SilentWeightsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long SHORT_LEASE_MS = 3_000;
  private static final long LONG_LEASE_MS = 3_600_000;
  private static final List<Double> EQUAL = List.of(1.0, 1.0);

  private EmbeddedKafka kafka;
  private KafkaBalancer balancer;
  private TopicHistory<RequestEvent> events;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private int requests;

  @BeforeEach
  void start() {
    kafka = EmbeddedKafka.start(0);
    try (TopicCreator topics =
        new TopicCreator(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      topics.create(Topics.ALL, (short) 1);
    }
    balancer = KafkaBalancer.start(kafka.bootstrapServers(), EventSettings.DEFAULTS);
    events = TopicHistory.follow(kafka.bootstrapServers(), Topics.REQUESTS, Codecs.REQUEST_EVENT);
  }

  @AfterEach
  void stop() {
    events.close();
    balancer.close();
    kafka.close();
  }

  @Test
  void theLeaseRunsOutAndNewWeightsCountAgainButNeverOldOnes() throws Exception {
    long epoch = speakUntilFollowed();

    Await.until("the lease runs out", PATIENCE, () -> balancer.weights().equals(EQUAL));
    assertTrue(balancer.metric("warmpath_weights_lease_remaining_seconds") < 0);
    assertEquals(0, request().context().weightsEpoch());

    long now = System.currentTimeMillis();
    balancer.publish(KafkaBalancer.MODEL, epoch, now + LONG_LEASE_MS, 1.5);
    awaitAllRead(1);
    assertEquals(epoch, epochRead(), "the same epoch again is no news");
    assertEquals(EQUAL, balancer.weights());

    balancer.publish(KafkaBalancer.MODEL, now, now + LONG_LEASE_MS, 1.25);
    Await.until("new weights", PATIENCE, () -> balancer.weights().equals(List.of(1.25, 0.75)));
    assertEquals(now, request().context().weightsEpoch());

    balancer.publish(KafkaBalancer.MODEL, epoch, now + LONG_LEASE_MS, 1.5);
    awaitAllRead(2);
    assertEquals(now, epochRead(), "an old epoch is no news");
    assertEquals(List.of(1.25, 0.75), balancer.weights());
    assertEquals(now, request().context().weightsEpoch());
  }

  /** Publishes weights with short leases until a request goes by some; gives their epoch. */
  private long speakUntilFollowed() throws Exception {
    while (true) {
      long now = System.currentTimeMillis();
      balancer.publish(KafkaBalancer.MODEL, now, now + SHORT_LEASE_MS, 1.5);
      Await.until("they were read", PATIENCE, () -> epochRead() == now);
      if (request().context().weightsEpoch() == now) {
        return now;
      }
    }
  }

  private long epochRead() {
    return (long) balancer.metric("warmpath_weights_epoch", KafkaBalancer.MODEL);
  }

  /** What was published before weights of another model was read once those were. */
  private void awaitAllRead(long marker) throws Exception {
    balancer.publish(KafkaBalancer.OTHER_MODEL, marker, marker, 1);
    Await.until(
        "the marker was read",
        PATIENCE,
        () -> balancer.metric("warmpath_weights_epoch", KafkaBalancer.OTHER_MODEL) == marker);
  }

  /** Sends a request, which is routed by the policy as ever, and gives its last event. */
  private Finished request() throws Exception {
    String id = "silent-" + requests++;
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(balancer.url().resolve("/v1/completions"))
                .header("x-request-id", id)
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"model\":\"" + KafkaBalancer.MODEL + "\",\"prompt\":\"Why?\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    assertEquals("adaptive", answer.headers().firstValue("x-warmpath-policy").orElseThrow());
    return events
        .await(
            all ->
                all.stream()
                    .map(Seen::value)
                    .filter(Finished.class::isInstance)
                    .map(Finished.class::cast)
                    .filter(event -> event.context().requestId().equals(id))
                    .findFirst(),
            PATIENCE)
        .orElseThrow();
  }
}
