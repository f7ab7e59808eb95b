package io.warmpath.bench.proxy;

import io.warmpath.lab.embedded.KafkaNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The proxies that take part, all of them running; those that do not work are idle meanwhile. */
final class Proxies implements AutoCloseable {

  private static final Duration DELIVERY = Duration.ofSeconds(30);
  private static final String WARMPATH = "io.warmpath.lab.cli.WarmpathCommand";

  private final Path folder;
  private final Cores cores;
  private final List<Integer> upstreams;
  private final Map<ProxyKind, ProxyProcess> running = new EnumMap<>(ProxyKind.class);
  private EventBroker broker;
  private int adminPort;

  /**
   * @param folder an empty folder for their files
   * @param upstreams ports of the upstreams
   */
  Proxies(Path folder, Cores cores, List<Integer> upstreams) {
    this.folder = folder;
    this.cores = cores;
    this.upstreams = upstreams;
  }

  /** Path of a contender's program, null if it is not installed. */
  static Path program(ProxyKind kind) {
    return switch (kind) {
      case DIRECT, BALANCER -> Path.of(System.getProperty("java.home"), "bin", "java");
      case NGINX -> Commands.find("nginx");
      case HAPROXY -> Commands.find("haproxy");
    };
  }

  /**
   * Starts one.
   *
   * @param jvmOptions options of the balancer's JVM
   * @throws IllegalStateException if it does not come up
   */
  void start(ProxyKind kind, List<String> jvmOptions) throws IOException, InterruptedException {
    int port = KafkaNode.freePort();
    String program = program(kind).toString();
    switch (kind) {
      case DIRECT -> {
        // Nobody to start.
      }
      case NGINX -> {
        Path file = write("nginx.conf", ProxyConfigs.nginx(port, upstreams, folder));
        run(kind, port, List.of(program, "-p", folder.toString(), "-c", file.toString()));
      }
      case HAPROXY -> {
        Path file = write("haproxy.cfg", ProxyConfigs.haproxy(port, upstreams));
        run(kind, port, List.of(program, "-db", "-f", file.toString()));
      }
      case BALANCER -> startBalancer(program, port, jvmOptions);
    }
  }

  private void startBalancer(String java, int port, List<String> jvmOptions)
      throws IOException, InterruptedException {
    broker = new EventBroker(upstreams.size());
    adminPort = KafkaNode.freePort();
    Path file =
        write(
            "balancer.yaml",
            ProxyConfigs.balancer(port, adminPort, upstreams, broker.bootstrapServers()));
    List<String> command = new ArrayList<>(List.of(java, "-Xmx2g"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), WARMPATH));
    command.addAll(List.of("balancer", "--config", file.toString()));
    run(ProxyKind.BALANCER, port, command);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private void run(ProxyKind kind, int port, List<String> command)
      throws IOException, InterruptedException {
    Path log = folder.resolve(kind + ".log");
    running.put(kind, ProxyProcess.start(cores.bound(command), port, log));
  }

  /** Where clients connect to. */
  List<Integer> ports(ProxyKind kind) {
    return kind == ProxyKind.DIRECT ? upstreams : List.of(running.get(kind).port());
  }

  /** Processor time of a contender so far. */
  long cpuNanos(ProxyKind kind) {
    return kind == ProxyKind.DIRECT ? 0 : running.get(kind).cpuNanos();
  }

  /** What a contender in a JVM holds. */
  ProcessMemory memory(ProxyKind kind) throws IOException, InterruptedException {
    return ProcessMemory.of(running.get(kind).pid());
  }

  /** What the balancer did beside, once its events are delivered; null if it takes no part. */
  BalancerState balancerState() throws IOException, InterruptedException {
    if (broker == null) {
      return null;
    }
    long deadline = System.nanoTime() + DELIVERY.toNanos();
    BalancerMetrics metrics = BalancerMetrics.read(adminPort);
    while (metrics.sum("warmpath_balancer_events_buffered") > 0 && System.nanoTime() < deadline) {
      metrics = BalancerMetrics.read(adminPort);
    }
    return new BalancerState(
        (long) metrics.sum("warmpath_balancer_requests_total"),
        (long) metrics.sum("warmpath_balancer_events_total"),
        (long) metrics.sum("warmpath_balancer_events_dropped_total"),
        broker.events(),
        (long) metrics.sum("warmpath_weights_epoch"),
        metrics.sum("warmpath_weights_lease_remaining_seconds"));
  }

  /** Ends all of them. */
  @Override
  public void close() {
    running.values().forEach(ProxyProcess::close);
    if (broker != null) {
      broker.close();
    }
  }
}
