package io.warmpath.lab.stack;

import io.warmpath.balancer.BalancerServer;
import io.warmpath.console.ConsoleConfig;
import io.warmpath.console.ConsoleServer;
import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.RoutingWeightsJob;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.lab.embedded.EmbeddedFlink;
import io.warmpath.lab.embedded.EmbeddedJob;
import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.lab.topics.TopicReport;
import io.warmpath.replica.ReplicaConfig;
import io.warmpath.replica.ReplicaServer;
import io.warmpath.schemas.topic.Topics;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.flink.configuration.Configuration;

/**
 * All of Warmpath in this process: Kafka, Flink with both jobs, modelled replicas, balancer and
 * console, on loopback.
 */
public final class WarmpathStack implements AutoCloseable {

  private static final String HOST = "127.0.0.1";

  private final StackConfig config;
  private final Function<ReplicaConfig, ReplicaServer> replicaStart;
  private final Configuration flinkSettings;
  private final Parts parts = new Parts();
  private final Map<String, URI> replicas = new LinkedHashMap<>();
  private final List<EmbeddedJob> jobs = new ArrayList<>();
  private String bootstrapServers;
  private BalancerServer balancer;
  private ConsoleServer console;

  private WarmpathStack(
      StackConfig config,
      Function<ReplicaConfig, ReplicaServer> replicaStart,
      Configuration flinkSettings) {
    this.config = config;
    this.replicaStart = replicaStart;
    this.flinkSettings = flinkSettings;
  }

  /**
   * Starts a stack, which serves when this returns. It is closed with the process, if not before.
   *
   * @param progress told what is started
   * @throws IllegalStateException if a part cannot start; those that did are closed again
   */
  public static WarmpathStack start(StackConfig config, Consumer<String> progress) {
    return start(config, progress, ReplicaServer::start);
  }

  /**
   * The same with settings that replace or add to those of its Flink, a metrics reporter for
   * instance.
   */
  public static WarmpathStack start(
      StackConfig config, Consumer<String> progress, Configuration flinkSettings) {
    return start(config, progress, ReplicaServer::start, flinkSettings);
  }

  /** The same with replicas that are started in another way. */
  static WarmpathStack start(
      StackConfig config,
      Consumer<String> progress,
      Function<ReplicaConfig, ReplicaServer> replicaStart) {
    return start(config, progress, replicaStart, new Configuration());
  }

  private static WarmpathStack start(
      StackConfig config,
      Consumer<String> progress,
      Function<ReplicaConfig, ReplicaServer> replicaStart,
      Configuration flinkSettings) {
    WarmpathStack stack = new WarmpathStack(config, replicaStart, flinkSettings);
    try {
      stack.start(progress);
      return stack;
    } catch (RuntimeException e) {
      stack.close();
      throw e;
    }
  }

  private void start(Consumer<String> progress) {
    progress.accept("Kafka");
    startKafka();
    progress.accept("Flink with both jobs");
    startJobs();
    progress.accept(config.replicas() + " replicas");
    for (int i = 0; i < config.replicas(); i++) {
      startReplica(i);
    }
    progress.accept("balancer and console");
    balancer = startBalancer(config.ports(), config.policy(), StackBalancer.ALL_REPLAY);
    console =
        parts.add(
            ConsoleServer.start(
                ConsoleConfig.of(bootstrapServers, HOST, config.ports().console())));
  }

  private void startKafka() {
    EmbeddedKafka kafka =
        parts.add(
            config
                .data()
                .map(folder -> EmbeddedKafka.start(config.ports().kafka(), folder.resolve("kafka")))
                .orElseGet(() -> EmbeddedKafka.start(config.ports().kafka())));
    bootstrapServers = kafka.bootstrapServers();
    try (TopicCreator creator = new TopicCreator(clientProperties())) {
      TopicReport topics = creator.create(Topics.ALL, (short) 1);
      if (!topics.good()) {
        throw new IllegalStateException("topics of an earlier run differ: " + topics.differences());
      }
    }
  }

  private void startJobs() {
    EmbeddedFlink flink = parts.add(EmbeddedFlink.start(config.parallelism() + 1, flinkSettings));
    StatsJobConfig stats = StatsJobConfig.parse("--bootstrap-servers", bootstrapServers);
    WeightsJobConfig weights = WeightsJobConfig.parse("--bootstrap-servers", bootstrapServers);
    jobs.add(
        flink.run(
            "routing-stats", config.parallelism(), env -> RoutingStatsJob.attach(env, stats)));
    jobs.add(flink.run("routing-weights", 1, env -> RoutingWeightsJob.attach(env, weights)));
  }

  private void startReplica(int index) {
    String name = StackConfig.replicaName(index);
    ReplicaServer replica =
        parts.add(
            replicaStart.apply(
                ReplicaConfig.builder()
                    .name(name)
                    .model(StackConfig.MODEL)
                    .host(HOST)
                    .port(config.ports().replica(index))
                    .profile(config.profile())
                    .timeScale(config.timeScale())
                    .kafka(clientProperties())
                    .build()));
    replicas.put(name, uri(replica.port()));
  }

  private BalancerServer startBalancer(StackPorts ports, String policy, Duration cacheReplay) {
    return parts.add(
        BalancerServer.start(
            StackBalancer.of(
                config, HOST, ports, policy, cacheReplay, replicas, clientProperties())));
  }

  /**
   * Empties all caches, and replaces the balancer by one on the same ports that has seen nothing
   * yet.
   *
   * @param policy what the new one routes by
   */
  public void startAfresh(String policy) {
    fleet().resetCaches();
    StackPorts ports = config.ports().withBalancer(balancer.port(), balancer.adminPort());
    parts.close(balancer);
    balancer = startBalancer(ports, policy, Duration.ZERO);
  }

  private Map<String, Object> clientProperties() {
    return Map.of("bootstrap.servers", bootstrapServers);
  }

  private static URI uri(int port) {
    return URI.create("http://" + HOST + ":" + port);
  }

  public StackConfig config() {
    return config;
  }

  /** Where Kafka clients connect. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Base URL of the balancer. */
  public URI balancer() {
    return uri(balancer.port());
  }

  /** Base URL of the balancer's admin and metrics. */
  public URI admin() {
    return uri(balancer.adminPort());
  }

  /** Base URL of the console. */
  public URI console() {
    return uri(console.port());
  }

  /** Base URL of each replica, by name. */
  public Map<String, URI> replicas() {
    return Map.copyOf(replicas);
  }

  /** What acts on the replicas. */
  public FleetAdmin fleet() {
    return new FleetAdmin(admin());
  }

  /** Statistics and weights job. */
  public List<EmbeddedJob> jobs() {
    return List.copyOf(jobs);
  }

  /** Waits until the process is told to end. */
  public void awaitEnd() {
    parts.awaitEnd();
  }

  @Override
  public void close() {
    parts.close();
  }
}
