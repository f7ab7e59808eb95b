package io.warmpath.lab.compose;

import io.warmpath.lab.Await;
import io.warmpath.lab.cluster.JavaProcess;
import io.warmpath.lab.compose.ComposeFile.Service;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The services of docker-compose.yml that need no profile, as processes of this host, in the order
 * and under the conditions of {@code depends_on}. Those whose programs are not on the class path
 * (Prometheus, Grafana) are left out.
 */
final class ComposeProcesses implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /** As many JVMs at a time as a small machine starts in about the time that one takes. */
  private static final int MOST_STARTING = 4;

  private static final String KAFKA = "apache/kafka:";

  private final Map<String, Service> services;
  private final OnOneHost here;
  private final WarmpathImage warmpath;
  private final List<String> options;
  private final Map<String, JavaProcess> processes = new LinkedHashMap<>();

  private ComposeProcesses(
      ComposeFile file, Path root, Path folder, double timeScale, List<String> options) {
    Wiring wiring = new Wiring(root, file);
    services = new TreeMap<>(file.always());
    services.values().removeIf(service -> !isJava(service));
    here = new OnOneHost(file, wiring, folder);
    warmpath = new WarmpathImage(here, wiring, timeScale);
    this.options = options;
  }

  private static boolean isJava(Service service) {
    return Wiring.isFlink(service)
        || Wiring.isWarmpath(service)
        || service.image().startsWith(KAFKA);
  }

  /**
   * Starts them and waits until all are healthy.
   *
   * @param folder an empty one, for what they keep
   * @param timeScale how many times faster than the file says replicas run
   * @param options options of every JVM
   */
  static ComposeProcesses start(Path root, Path folder, double timeScale, List<String> options)
      throws Exception {
    ComposeProcesses processes =
        new ComposeProcesses(
            ComposeFile.read(root.resolve("docker-compose.yml")), root, folder, timeScale, options);
    try {
      processes.startInTheirOrder();
      return processes;
    } catch (Exception | Error e) {
      processes.close();
      throw e;
    }
  }

  private void startInTheirOrder() {
    Await.until(
        "all services are started and healthy",
        PATIENCE,
        () -> {
          requireNoneFailed();
          long starting = processes.keySet().stream().filter(name -> !isUp(name)).count();
          for (Service service : services.values()) {
            if (starting < MOST_STARTING
                && !processes.containsKey(service.name())
                && mayStart(service)) {
              start(service, Map.of());
              starting++;
            }
          }
          return starting == 0 && processes.size() == services.size();
        });
  }

  private boolean mayStart(Service service) {
    return service.dependsOn().entrySet().stream()
        .allMatch(
            before -> {
              String name = before.getKey();
              return processes.containsKey(name)
                  && (before.getValue().equals("service_started") || isUp(name));
            });
  }

  /** Healthy, or ended well where there is no health check. */
  private boolean isUp(String name) {
    Service service = services.get(name);
    if (service.healthTest().isEmpty()) {
      return processes.get(name).exitCode().equals(OptionalInt.of(0));
    }
    try {
      return HealthCheck.passes(service, here);
    } catch (Exception e) {
      return false;
    }
  }

  private void requireNoneFailed() {
    processes.forEach(
        (name, process) -> {
          if (process.exitCode().orElse(0) != 0) {
            process.requireAlive();
          }
        });
  }

  private void start(Service service, Map<String, Object> balancerFields) throws Exception {
    Files.createDirectories(here.folder(service));
    JavaProcess process;
    if (Wiring.isFlink(service)) {
      process = FlinkImage.start(service, here, options);
    } else if (Wiring.isWarmpath(service)) {
      process = warmpath.start(service, balancerFields, options);
    } else {
      process = KafkaImage.start(service, here, options);
    }
    processes.put(service.name(), process);
  }

  /** Replaces the balancer by one with other fields in its file, and waits until it is healthy. */
  void restartBalancer(Map<String, Object> fields) throws Exception {
    Service balancer = services.get("balancer");
    processes.get("balancer").kill();
    start(balancer, fields);
    Await.until(
        "the balancer is healthy",
        PATIENCE,
        () -> {
          requireNoneFailed();
          return isUp(balancer.name());
        });
  }

  /** Base URL of a port in a service's container. */
  URI url(String service, int containerPort) {
    return URI.create("http://" + OnOneHost.HOST + ":" + here.port(service, containerPort));
  }

  /** Where clients on this host reach Kafka. */
  String bootstrapServers() {
    return here.rewrite(services.get("kafka"), "kafka:9092");
  }

  Map<String, Service> services() {
    return services;
  }

  @Override
  public void close() {
    processes.values().forEach(JavaProcess::close);
  }
}
