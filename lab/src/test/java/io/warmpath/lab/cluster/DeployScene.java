package io.warmpath.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.window.PaneRing;
import io.warmpath.lab.Await;
import io.warmpath.lab.cli.CommandRun;
import io.warmpath.lab.flink.FlinkRest;
import io.warmpath.lab.synthetic.SyntheticFleet;
import io.warmpath.lab.synthetic.SyntheticRequests;
import io.warmpath.lab.truth.Backlog;
import io.warmpath.lab.truth.StatsTopic;
import io.warmpath.lab.truth.Truth;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/** A cluster and a broker in their own JVMs, traffic, and today's stats job, deployed. */
final class DeployScene implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int EVENTS_PER_SECOND = 2_000;
  private static final String GROUP = "warmpath-routing-stats";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path folder;
  private final BrokerProcess broker;
  private final FlinkCluster flink;
  private final SteadyLoad load;
  private final Truth truth;
  private int runs;

  private DeployScene(
      Path folder, BrokerProcess broker, FlinkCluster flink, SteadyLoad load, Truth truth) {
    this.folder = folder;
    this.broker = broker;
    this.flink = flink;
    this.load = load;
    this.truth = truth;
  }

  static DeployScene start(Path folder) throws Exception {
    BrokerProcess broker = BrokerProcess.start(folder);
    FlinkCluster flink = FlinkCluster.start(folder, 2);
    Truth truth = new Truth();
    SyntheticRequests requests =
        new SyntheticRequests(SyntheticFleet.of(List.of("model-a"), 3), 11);
    SteadyLoad load =
        SteadyLoad.start(broker.bootstrapServers(), requests, truth, EVENTS_PER_SECOND);
    DeployScene scene = new DeployScene(folder, broker, flink, load, truth);
    DeployRun first = scene.deploy(ClassPath.jobsJar(), "--initial-state", "empty");
    assertEquals(0, first.exitCode(), first::output);
    return scene;
  }

  DeployRun deploy(JobVariant variant, String... options) throws IOException, URISyntaxException {
    return deploy(variant.jar(folder), options);
  }

  DeployRun deploy(Path jar, String... options) throws IOException {
    Path json = folder.resolve("deploy-" + ++runs + ".json");
    List<String> line = line(jar, options);
    line.addAll(line.indexOf("--"), List.of("--json", json.toString()));
    CommandRun run = CommandRun.of(line);
    System.out.println(run.output());
    return new DeployRun(
        run.exitCode(),
        run.output(),
        Files.exists(json) ? MAPPER.readTree(json.toFile()) : MissingNode.getInstance());
  }

  /** The command's arguments. */
  List<String> line(Path jar, String... options) {
    List<String> line =
        new ArrayList<>(
            List.of(
                "deploy",
                "stats",
                "--target",
                flink.rest().address(),
                "--jar",
                jar.toString(),
                "--journal",
                journal().toString(),
                "--compare-for",
                "8s",
                "--verify-for",
                "5s"));
    line.addAll(List.of(options));
    line.addAll(
        List.of(
            "--", "--bootstrap-servers", broker.bootstrapServers(), "--checkpoint-interval", "2s"));
    return line;
  }

  Path journal() {
    return folder.resolve("journal.json");
  }

  /** Brings an interrupted deployment to an end. */
  DeployRun recover() {
    CommandRun run =
        CommandRun.of(
            List.of(
                "deploy",
                "stats",
                "--target",
                flink.rest().address(),
                "--journal",
                journal().toString(),
                "--recover"));
    System.out.println(run.output());
    return new DeployRun(run.exitCode(), run.output(), MissingNode.getInstance());
  }

  Path folder() {
    return folder;
  }

  /** The one job that runs; nothing of any other is left, neither on the cluster nor in Kafka. */
  String runningJob() throws Exception {
    List<FlinkRest.Job> alive =
        flink.rest().jobs().stream().filter(FlinkRest.Job::isAlive).toList();
    assertEquals(List.of(RoutingStatsJob.NAME), alive.stream().map(FlinkRest.Job::name).toList());
    String job = alive.get(0).id();
    Await.until("it runs", PATIENCE, () -> flink.rest().isRunning(job));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      Set<String> topics = admin.listTopics().names().get(30, TimeUnit.SECONDS);
      Set<String> trials =
          topics.stream().filter(name -> name.contains("trial")).collect(Collectors.toSet());
      assertEquals(Set.of(), trials);
    }
    assertTrue(Files.notExists(journal()), "a journal is left");
    return job;
  }

  void assertEveryWindowIsTheTruth() throws Exception {
    String job = runningJob();
    double eventsPerSecond = load.stop();
    assertEquals(EVENTS_PER_SECOND, eventsPerSecond, 0.05 * EVENTS_PER_SECOND);
    awaitAllRead(job);
    load.letTimePass(PaneRing.RETENTION.toMillis() + 10_000);
    awaitAllRead(job);
    try (StatsTopic stats = new StatsTopic(broker.bootstrapServers())) {
      stats.readOn();
      System.out.printf(
          "deploy: %d events, %d rows, %d of them repeated, of %d keys and windows%n",
          load.acknowledged(), stats.records(), stats.repeated(), stats.lastRows().size());
      truth
          .compare(
              StatsJobConfig.parse("--bootstrap-servers", broker.bootstrapServers()).windows(),
              stats.lastRows())
          .assertNone();
    }
  }

  void assertNoneCameTwice() {
    try (StatsTopic stats = new StatsTopic(broker.bootstrapServers())) {
      stats.readOn();
      assertEquals(0, stats.repeated());
    }
  }

  private void awaitAllRead(String job) throws Exception {
    Backlog.awaitNone(broker.bootstrapServers(), Topics.REQUESTS, GROUP, PATIENCE);
    long before = flink.rest().lastCheckpoint(job);
    Await.until(
        "checkpoints go on", PATIENCE, () -> flink.rest().lastCheckpoint(job) >= before + 2);
  }

  @Override
  public void close() {
    try (broker;
        flink;
        load) {
      // In this order, backwards.
    }
  }
}
