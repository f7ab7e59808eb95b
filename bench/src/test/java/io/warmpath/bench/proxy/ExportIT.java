package io.warmpath.bench.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.embedded.KafkaNode;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code warmpath export} as a process, between a real broker and a real router that clients use
 * all the while: their requests go where the weights say, and none fails.
 */
@Timeout(300)
class ExportIT {

  private static final String MODEL = "llama";
  private static final String COMMAND = "io.warmpath.lab.cli.WarmpathCommand";
  private static final int REPLICAS = 4;
  private static final int CLIENTS = 4;

  /**
   * Both routers take turns by a fixed order (smooth weighted round robin), so a share is off by a
   * few requests at most, not by chance: 2,000 leave a share of 0.1 about 1 % off.
   */
  private static final long COUNTED = 2_000;

  /** After a reload the old worker of nginx still answers for a moment. */
  private static final long SETTLING = 400;

  private static final double SETTLED = 0.1;

  private static final double TOLERANCE = 0.03;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LEASE_MS = 600_000;

  @TempDir private Path folder;
  private final List<AutoCloseable> started = new ArrayList<>();
  private EmbeddedKafka kafka;
  private KafkaProducer<byte[], byte[]> producer;
  private CountedUpstreams upstreams;
  private CountedClients clients;
  private Path status;
  private long epoch;

  @BeforeEach
  void start() throws Exception {
    kafka = keep(EmbeddedKafka.start(0));
    Map<String, Object> properties = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (TopicCreator creator = new TopicCreator(properties)) {
      creator.create(Topics.ALL, (short) 1);
    }
    producer =
        keep(new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()));
    upstreams = keep(new CountedUpstreams(REPLICAS));
    status = folder.resolve("status.json");
    epoch = System.currentTimeMillis();
  }

  private <T extends AutoCloseable> T keep(T part) {
    started.add(0, part);
    return part;
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable part : started) {
      part.close();
    }
  }

  private static String program(String name) {
    Path found = Commands.find(name);
    Assumptions.assumeTrue(found != null, name + " is not installed");
    return found.toString();
  }

  /** Publishes weights of replica-0 and so on. */
  private void publish(long leaseMs, double... weights) throws Exception {
    epoch++;
    List<ReplicaWeight> replicas =
        IntStream.range(0, weights.length)
            .mapToObj(
                i ->
                    new ReplicaWeight(
                        "replica-" + i, weights[i], ReplicaState.ACTIVE, 0, 10, 20, "fit"))
            .toList();
    RoutingWeights record =
        new RoutingWeights(
            MODEL,
            epoch,
            System.currentTimeMillis() + leaseMs,
            epoch,
            0.15,
            null,
            replicas,
            List.of());
    producer
        .send(
            new ProducerRecord<>(
                Topics.ROUTING_WEIGHTS,
                MODEL.getBytes(StandardCharsets.UTF_8),
                Codecs.ROUTING_WEIGHTS.encode(record)))
        .get();
  }

  private Path map(String more) throws IOException {
    List<Integer> ports = upstreams.ports();
    return Files.writeString(
        folder.resolve("replicas.yaml"),
        "model: %s\n%sreplicas:\n".formatted(MODEL, more)
            + IntStream.range(0, REPLICAS)
                .mapToObj(
                    i ->
                        "  - {name: replica-%d, host: 127.0.0.1, port: %d}\n"
                            .formatted(i, ports.get(i)))
                .collect(Collectors.joining()));
  }

  private void export(String format, Path map, String... more) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-cp", System.getProperty("java.class.path"), COMMAND));
    command.addAll(List.of("export", "--format", format, "--map", map.toString()));
    command.addAll(List.of("--bootstrap-servers", kafka.bootstrapServers()));
    command.addAll(List.of("--json", status.toString()));
    int metrics = KafkaNode.freePort();
    command.addAll(List.of("--metrics-port", Integer.toString(metrics)));
    command.addAll(List.of(more));
    keep(ProxyProcess.start(command, metrics, folder.resolve("export.log")));
  }

  private void awaitStatus(Predicate<JsonNode> met) throws Exception {
    assertTrue(
        Waiting.until(() -> met.test(readStatus()), PATIENCE),
        () -> "the export does not get there: " + readStatus());
  }

  private JsonNode readStatus() {
    try {
      return new JsonMapper().readTree(status.toFile());
    } catch (IOException e) {
      return new JsonMapper().createObjectNode(); // Not yet, or half written.
    }
  }

  private void awaitApplied() throws Exception {
    awaitStatus(
        one ->
            one.path("epoch").asLong() == epoch
                && one.path("pending").isBoolean()
                && !one.path("pending").asBoolean());
  }

  /** Once the new weights are seen to be at work, the shares of what follows are theirs. */
  private void assertShares(double... weights) throws Exception {
    double sum = Arrays.stream(weights).sum();
    double[] wanted = Arrays.stream(weights).map(weight -> weight / sum).toArray();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    double[] shares;
    do {
      shares = shares(SETTLING);
    } while (!within(SETTLED, wanted, shares) && System.nanoTime() < deadline);
    shares = shares(COUNTED);
    for (int i = 0; i < REPLICAS; i++) {
      assertEquals(wanted[i], shares[i], TOLERANCE * wanted[i], "share of replica-" + i);
    }
    assertEquals(List.of(), clients.failures());
  }

  private static boolean within(double tolerance, double[] wanted, double[] shares) {
    return IntStream.range(0, REPLICAS)
        .allMatch(i -> Math.abs(shares[i] - wanted[i]) <= tolerance * wanted[i]);
  }

  /** Shares of the next requests. */
  private double[] shares(long requests) throws InterruptedException {
    long[] before = upstreams.requests();
    awaitAnswers(requests);
    long[] after = upstreams.requests();
    double all = Arrays.stream(after).sum() - Arrays.stream(before).sum();
    return IntStream.range(0, REPLICAS).mapToDouble(i -> (after[i] - before[i]) / all).toArray();
  }

  private void awaitAnswers(long more) throws InterruptedException {
    long until = clients.answers() + more;
    assertTrue(Waiting.until(() -> clients.answers() >= until, PATIENCE), "clients get no answers");
  }

  @Test
  void haproxyFollowsTheWeights() throws Exception {
    String haproxy = program("haproxy");
    int port = KafkaNode.freePort();
    Path socket = folder.resolve("admin.sock");
    Path config = Files.writeString(folder.resolve("haproxy.cfg"), haproxyConfig(port, socket));
    List<String> command = List.of(haproxy, "-db", "-f", config.toString());
    ProxyProcess router = keep(ProxyProcess.start(command, port, folder.resolve("haproxy.log")));
    clients = keep(new CountedClients(port, CLIENTS));
    publish(LEASE_MS, 1.4, 1.2, 0.8, 0.6);
    export("haproxy", map("backend: replicas\n"), "--socket", socket.toString());
    awaitApplied();
    assertShares(1.4, 1.2, 0.8, 0.6);

    publish(LEASE_MS, 0.5, 0.9, 1.2, 1.4);
    awaitApplied();
    assertShares(0.5, 0.9, 1.2, 1.4);

    // A replica that leaves gets nothing more.
    publish(LEASE_MS, 0.9, 1.2, 0.9);
    awaitApplied();
    assertShares(0.9, 1.2, 0.9, 0);

    // One that was restarted has the weights of its file again, until it is given ours.
    long applications = readStatus().get("applications").asLong();
    clients.close();
    router.close();
    keep(ProxyProcess.start(command, port, folder.resolve("haproxy-2.log")));
    awaitStatus(
        one -> one.path("applications").asLong() > applications && !one.get("pending").asBoolean());
    clients = keep(new CountedClients(port, CLIENTS));
    assertShares(0.9, 1.2, 0.9, 0);

    publish(1, 0.5, 0.9, 1.2, 1.4);
    awaitStatus(
        one -> one.path("lease").asText().equals("over") && !one.get("pending").asBoolean());
    assertShares(1, 1, 1, 1);
  }

  private String haproxyConfig(int port, Path socket) {
    return """
    global
      stats socket %s level admin
    defaults
      mode http
      timeout connect 5s
      timeout client 60s
      timeout server 60s
    frontend clients
      bind 127.0.0.1:%d
      default_backend replicas
    backend replicas
      balance roundrobin
    %s\
    """
        .formatted(socket, port, servers("  server replica-%d 127.0.0.1:%d weight 100\n"));
  }

  private String servers(String line) {
    return IntStream.range(0, REPLICAS)
        .mapToObj(i -> line.formatted(i, upstreams.ports().get(i)))
        .collect(Collectors.joining());
  }

  @Test
  void nginxFollowsTheWeights() throws Exception {
    String nginx = program("nginx");
    int port = KafkaNode.freePort();
    Path servers =
        Files.writeString(folder.resolve("replicas.inc"), servers("# %d\nserver 127.0.0.1:%d;\n"));
    Path config = Files.writeString(folder.resolve("nginx.conf"), nginxConfig(port, servers));
    List<String> command = List.of(nginx, "-p", folder.toString(), "-c", config.toString());
    keep(ProxyProcess.start(command, port, folder.resolve("nginx.log")));
    clients = keep(new CountedClients(port, CLIENTS));
    publish(LEASE_MS, 1.4, 1.2, 0.8, 0.6);
    export(
        "nginx",
        map("server_parameters: max_fails=0\n"),
        "--output",
        servers.toString(),
        "--nginx",
        String.join(" ", command),
        "--reload-interval",
        "1");
    awaitApplied();
    assertShares(1.4, 1.2, 0.8, 0.6);

    publish(LEASE_MS, 0.5, 0.9, 1.2, 1.4);
    awaitApplied();
    assertShares(0.5, 0.9, 1.2, 1.4);

    publish(LEASE_MS, 0.9, 1.2, 0.9);
    awaitApplied();
    assertShares(0.9, 1.2, 0.9, 0);
    assertTrue(Files.readString(servers).contains(" down;"));
  }

  private String nginxConfig(int port, Path servers) {
    return """
    %s
    daemon off;
    worker_processes 1;
    pid %s/nginx.pid;
    error_log %s/nginx-error.log;
    events { worker_connections 256; }
    http {
      access_log off;
      client_body_temp_path %s/nginx-body;
      proxy_temp_path %s/nginx-proxy;
      fastcgi_temp_path %s/nginx-fastcgi;
      uwsgi_temp_path %s/nginx-uwsgi;
      scgi_temp_path %s/nginx-scgi;
      upstream replicas { include %s; }
      server {
        listen 127.0.0.1:%d;
        location / { proxy_pass http://replicas; }
      }
    }
    """
        .formatted(
            "root".equals(System.getProperty("user.name")) ? "user root;" : "",
            folder,
            folder,
            folder,
            folder,
            folder,
            folder,
            folder,
            servers,
            port);
  }
}
