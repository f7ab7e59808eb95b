package io.warmpath.lab.balancer;

import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.BalancerServer;
import io.warmpath.balancer.ModelConfig;
import io.warmpath.balancer.ReplicaAddress;
import io.warmpath.balancer.events.EventSettings;
import io.warmpath.lab.stack.Parts;
import io.warmpath.replica.ReplicaConfig;
import io.warmpath.replica.ReplicaServer;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A balancer on Kafka in front of two modelled replicas, and what its metrics say. */
public final class KafkaBalancer implements AutoCloseable {

  public static final String MODEL = "warmpath-demo";

  /** A model that has weights but gets no requests. */
  public static final String OTHER_MODEL = "warmpath-other";

  private static final String HOST = "127.0.0.1";
  private static final int REPLICAS = 2;
  private static final double TIME_SCALE = 20;
  private static final double MICROS_PER_TOKEN = 50;

  private final Parts parts = new Parts();
  private final HttpClient http = HttpClient.newHttpClient();
  private final BalancerServer balancer;
  private final KafkaProducer<byte[], byte[]> weights;

  private KafkaBalancer(String bootstrapServers, EventSettings events) {
    Map<String, Object> kafka = Map.of("bootstrap.servers", bootstrapServers);
    List<ReplicaAddress> replicas = new ArrayList<>();
    for (int i = 0; i < REPLICAS; i++) {
      replicas.add(new ReplicaAddress("replica-" + i, startReplica("replica-" + i)));
    }
    ReplicaAddress other = new ReplicaAddress("other", replicas.get(0).url());
    balancer =
        parts.add(
            BalancerServer.start(
                BalancerConfig.builder()
                    .listen(HOST, 0)
                    .admin(HOST, 0)
                    .model(ModelConfig.modelled(MODEL, replicas))
                    .model(ModelConfig.modelled(OTHER_MODEL, List.of(other)))
                    .policy("adaptive")
                    .kafka(kafka)
                    .events(events)
                    .timeScale(TIME_SCALE)
                    .build()));
    weights =
        parts.add(new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer()));
  }

  /** Starts one; the topics must be there. */
  public static KafkaBalancer start(String bootstrapServers, EventSettings events) {
    return new KafkaBalancer(bootstrapServers, events);
  }

  private URI startReplica(String name) {
    ReplicaServer replica =
        parts.add(
            ReplicaServer.start(
                ReplicaConfig.builder()
                    .name(name)
                    .model(MODEL)
                    .host(HOST)
                    .port(0)
                    .profile(EngineProfile.load("llama-3.1-8b-h100"))
                    .timeScale(TIME_SCALE)
                    .build()));
    return URI.create("http://" + HOST + ":" + replica.port());
  }

  /** Base URL for clients. */
  public URI url() {
    return URI.create("http://" + HOST + ":" + balancer.port());
  }

  /** Value of a metric's samples that carry the given labels, added up; 0 without any. */
  public double metric(String name, String... labels) {
    return page()
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> List.of(labels).stream().allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Weights in force of both replicas. */
  public List<Double> weights() {
    List<Double> inForce = new ArrayList<>();
    for (int i = 0; i < REPLICAS; i++) {
      inForce.add(metric("warmpath_balancer_weight", "replica=\"replica-" + i + "\""));
    }
    return inForce;
  }

  private String page() {
    URI metrics = URI.create("http://" + HOST + ":" + balancer.adminPort() + "/metrics");
    try {
      return http.send(
              HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Publishes weights; all of them, of both models, stand in one partition in their order.
   *
   * @param weight of the first replica; the mean of both is 1
   */
  public void publish(String model, long epoch, long validUntilMs, double weight)
      throws ExecutionException, InterruptedException {
    RoutingWeights published =
        new RoutingWeights(
            model,
            epoch,
            validUntilMs,
            epoch,
            0.25,
            null,
            List.of(replica("replica-0", weight), replica("replica-1", 2 - weight)),
            List.of());
    weights
        .send(
            new ProducerRecord<>(
                Topics.ROUTING_WEIGHTS,
                0,
                model.getBytes(StandardCharsets.UTF_8),
                Codecs.ROUTING_WEIGHTS.encode(published)))
        .get();
  }

  private static ReplicaWeight replica(String name, double weight) {
    return new ReplicaWeight(
        name, weight, ReplicaState.ACTIVE, 1_000, MICROS_PER_TOKEN / weight, 500, "target");
  }

  @Override
  public void close() {
    parts.close();
  }
}
