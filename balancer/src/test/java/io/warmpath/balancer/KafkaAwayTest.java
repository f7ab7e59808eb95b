package io.warmpath.balancer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.FakeReplica;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A balancer whose Kafka is not there. */
class KafkaAwayTest {

  private static final int BUFFER = 10;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:1", "kafka.invalid:9092"})
  void startsServesAndStopsAllTheSame(String bootstrapServers) throws Exception {
    try (FakeReplica replica = new FakeReplica(answer -> answer.json(200, Chunks.JSON_ANSWER));
        BalancerServer balancer = BalancerServer.start(config(bootstrapServers, replica.url()))) {
      for (int i = 0; i < BUFFER; i++) {
        HttpRequest chat =
            HttpRequest.newBuilder(uri(balancer.port(), "/v1/completions"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"model\":\"m\",\"prompt\":\"a\"}"))
                .build();
        assertEquals(200, client.send(chat, HttpResponse.BodyHandlers.ofString()).statusCode());
      }
      HttpRequest metrics = HttpRequest.newBuilder(uri(balancer.adminPort(), "/metrics")).build();
      String page = client.send(metrics, HttpResponse.BodyHandlers.ofString()).body();
      assertTrue(page.contains("warmpath_balancer_events_total 20\n"));
      assertTrue(page.contains("warmpath_balancer_events_dropped_total 10\n"));
      assertTrue(page.contains("warmpath_balancer_events_buffered 10\n"));
    }
  }

  private static BalancerConfig config(String bootstrapServers, URI replica) {
    return BalancerConfig.builder()
        .listen("127.0.0.1", 0)
        .admin("127.0.0.1", 0)
        .model(ModelConfig.modelled("m", List.of(new ReplicaAddress("replica-0", replica))))
        .kafka(Map.of("bootstrap.servers", bootstrapServers))
        .startTimeout(Duration.ofMillis(50))
        .events(new EventSettings(BUFFER, Duration.ofMillis(100), 0.1))
        .build();
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
