package io.warmpath.lab.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.warmpath.console.ConsoleConfig;
import io.warmpath.console.ConsoleServer;
import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.PolicyShare;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console on a real broker: what it starts from, and what it outlives. */
@Timeout(120)
class ConsoleOnKafkaIT {

  private static final String MODEL = "warmpath-demo";

  private final HttpClient client = HttpClient.newHttpClient();

  private static Map<String, Object> properties(EmbeddedKafka kafka) {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  private static KafkaProducer<byte[], byte[]> producer(EmbeddedKafka kafka) {
    return new KafkaProducer<>(
        properties(kafka), new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static ConsoleServer console(EmbeddedKafka kafka) {
    return ConsoleServer.start(ConsoleConfig.of(kafka.bootstrapServers(), "127.0.0.1", 0));
  }

  private static void send(EmbeddedKafka kafka, String topic, byte[]... values) {
    try (KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
      for (byte[] value : values) {
        producer.send(new ProducerRecord<>(topic, MODEL.getBytes(StandardCharsets.UTF_8), value));
      }
    }
  }

  private static byte[] total(long endMs, long requests) {
    return Codecs.ROUTING_STATS.encode(
        new RoutingStats(
            endMs - 10_000,
            endMs,
            MODEL,
            RoutingStats.ALL,
            RoutingStats.ALL,
            false,
            requests,
            requests,
            0,
            0,
            0,
            requests,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            requests / 10.0,
            0,
            0,
            0,
            0,
            null,
            null,
            Distribution.EMPTY,
            Distribution.EMPTY,
            Distribution.EMPTY,
            Distribution.EMPTY,
            LostTokens.NONE,
            0,
            null,
            null,
            null,
            null,
            null,
            null));
  }

  private static byte[] weights(long epoch, double weight) {
    return Codecs.ROUTING_WEIGHTS.encode(
        new RoutingWeights(
            MODEL,
            epoch,
            epoch + 30_000,
            epoch,
            0.15,
            null,
            List.of(
                new ReplicaWeight("replica-0", weight, ReplicaState.ACTIVE, 0, 10, 20, "steady")),
            List.of(new PolicyShare("adaptive", 1, "configured"))));
  }

  /** The model's first message on the event stream that meets a condition. */
  private JsonNode awaitModel(ConsoleServer console, Predicate<JsonNode> met) throws Exception {
    HttpResponse<InputStream> response =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + console.port() + "/events"))
                .build(),
            HttpResponse.BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          JsonNode message = new JsonMapper().readTree(line.substring("data: ".length()));
          JsonNode model = message.at("/view/models/0");
          if (met.test(model)) {
            return message;
          }
        }
      }
    }
    throw new AssertionError("the stream ended");
  }

  private static long requests(JsonNode model) {
    return model.at("/windows/0/total/requests").asLong();
  }

  @Test
  void startsFromTheRecentPastAndFollows() throws Exception {
    long now = System.currentTimeMillis();
    try (EmbeddedKafka kafka = EmbeddedKafka.start(0)) {
      createTopics(kafka);
      send(kafka, Topics.ROUTING_STATS, total(now - 2_000, 31), total(now - 1_000, 32));
      send(kafka, Topics.ROUTING_WEIGHTS, weights(now - 6_000, 1.5), weights(now - 1_000, 1.25));
      try (ConsoleServer console = console(kafka)) {
        JsonNode first =
            awaitModel(
                console,
                model -> requests(model) == 32 && model.at("/lease/epoch").asLong() == now - 1_000);
        assertEquals(2, first.at("/view/models/0/history").size());
        assertEquals(
            1.5,
            first.at("/view/models/0/windows/0/replicas/0/weight_history/0/weight").asDouble());

        send(kafka, Topics.ROUTING_STATS, "{\"v\":2}".getBytes(StandardCharsets.UTF_8));
        send(kafka, Topics.ROUTING_STATS, total(now, 33));
        JsonNode next = awaitModel(console, model -> requests(model) == 33);
        assertEquals(1, next.at("/view/invalid_records").asInt());
      }
    }
  }

  @Test
  void waitsForTopicsAndOutlivesABroker(@TempDir Path folder) throws Exception {
    int port;
    try (EmbeddedKafka kafka = EmbeddedKafka.start(0, folder)) {
      port = kafka.port();
      try (ConsoleServer console = console(kafka)) {
        createTopics(kafka);
        send(kafka, Topics.ROUTING_STATS, total(System.currentTimeMillis(), 41));
        awaitModel(console, model -> requests(model) == 41);
      }
    }
    ConsoleServer console =
        ConsoleServer.start(ConsoleConfig.of("127.0.0.1:" + port, "127.0.0.1", 0));
    try (console;
        EmbeddedKafka kafka = EmbeddedKafka.start(port, folder)) {
      send(kafka, Topics.ROUTING_STATS, total(System.currentTimeMillis(), 42));
      JsonNode message = awaitModel(console, model -> requests(model) == 42);
      assertEquals("reading", message.get("source").asText());
    }
  }

  private static void createTopics(EmbeddedKafka kafka) {
    try (TopicCreator creator = new TopicCreator(properties(kafka))) {
      creator.create(Topics.ALL, (short) 1);
    }
  }
}
