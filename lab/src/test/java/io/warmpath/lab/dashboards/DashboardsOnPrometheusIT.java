package io.warmpath.lab.dashboards;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.jobs.ShadowPolicyJob;
import io.warmpath.jobs.config.ShadowJobConfig;
import io.warmpath.lab.embedded.EmbeddedFlink;
import io.warmpath.lab.embedded.KafkaNode;
import io.warmpath.lab.replay.Replay;
import io.warmpath.lab.replay.ReplayOptions;
import io.warmpath.lab.replay.SmallTraces;
import io.warmpath.lab.stack.StackConfig;
import io.warmpath.lab.stack.StackPorts;
import io.warmpath.lab.stack.WarmpathStack;
import io.warmpath.replica.engine.EngineProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.prometheus.LoopbackReporterFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every expression of every dashboard and every rule, on a Prometheus that scrapes a whole stack
 * under load: answered, not empty, and finite.
 */
@Timeout(300)
class DashboardsOnPrometheusIT {

  /** Shadows look at windows of 60 s that begin with the minute. */
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int REPLICAS = 3;
  private static final List<String> POLICIES = List.of("round_robin", "adaptive");

  /** What is chosen at the top of a dashboard. */
  private static final Map<String, String> CHOICES =
      Map.ofEntries(
          Map.entry("job", "console"),
          Map.entry("balancer", "balancer"),
          Map.entry("flink_job", ".*"),
          Map.entry("model", StackConfig.MODEL),
          Map.entry("policy", ".*"),
          Map.entry("baseline", "round_robin"),
          Map.entry("replica", ".*"),
          Map.entry("window", "60s"),
          Map.entry("__rate_interval", "30s"));

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-z_]+)}?");
  private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.*), (\\w+)\\)");

  @TempDir private static Path folder;

  private static final AtomicBoolean LOADED = new AtomicBoolean(true);
  private static WarmpathStack stack;
  private static EmbeddedFlink shadows;
  private static PrometheusServer prometheus;
  private static Thread load;

  @BeforeAll
  static void start() throws IOException {
    PrometheusServer.assumeInstalled();
    int flinkPort = KafkaNode.freePort();
    EngineProfile profile = EngineProfile.load("llama-3.1-8b-h100");
    stack =
        WarmpathStack.start(
            new StackConfig(
                StackPorts.FREE, REPLICAS, profile, 4, POLICIES.get(0), 2, Optional.empty()),
            part -> {},
            reporter(flinkPort));
    shadows = EmbeddedFlink.start(1);
    ShadowJobConfig shadow =
        ShadowJobConfig.parse(
            "--bootstrap-servers",
            stack.bootstrapServers(),
            "--capacity-blocks",
            Integer.toString(profile.kvBlocks()));
    shadows.run("shadow", 1, env -> ShadowPolicyJob.attach(env, shadow));
    // The balancer tries those again elsewhere.
    stack.fleet().setFaults(StackConfig.replicaName(0), Map.of("reject_share", "0.1"));
    prometheus = PrometheusServer.start(folder, (job, name) -> targets(job, name, flinkPort));
    load = new Thread(DashboardsOnPrometheusIT::replayOverAndOver, "load");
    load.start();
  }

  private static Configuration reporter(int port) {
    Configuration settings = new Configuration();
    settings.setString(
        "metrics.reporter.loopback.factory.class", LoopbackReporterFactory.class.getName());
    settings.setString("metrics.reporter.loopback.port", Integer.toString(port));
    return settings;
  }

  private static List<String> targets(String job, String name, int flinkPort) {
    return switch (job) {
      case "console" -> List.of(address(stack.console()));
      case "balancer" -> List.of(address(stack.admin()));
      case "replicas" ->
          Optional.ofNullable(stack.replicas().get(name.split(":")[0])).stream()
              .map(DashboardsOnPrometheusIT::address)
              .toList();
      case "flink" ->
          name.startsWith("stats-jobmanager") ? List.of("127.0.0.1:" + flinkPort) : List.of();
      default -> throw new AssertionError("a job that this test does not know: " + job);
    };
  }

  private static String address(URI uri) {
    return uri.getHost() + ":" + uri.getPort();
  }

  /** Policies take turns, so that there is something to compare; some attempts fail. */
  private static void replayOverAndOver() {
    for (int round = 0; LOADED.get(); round++) {
      try {
        stack.fleet().setPolicy(POLICIES.get(round % POLICIES.size()));
        new Replay(
                SmallTraces.conversations(12, 5, 100, round),
                new ReplayOptions(
                    stack.balancer(), StackConfig.MODEL, 1, Duration.ofSeconds(60), 1000))
            .run(progress -> {});
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    LOADED.set(false);
    if (load != null) {
      load.join();
    }
    if (prometheus != null) {
      prometheus.close();
    }
    if (shadows != null) {
      shadows.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void everyExpressionHasFiniteValues() throws Exception {
    Map<String, String> open = expressions();
    Map<String, List<Double>> answers = new TreeMap<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!open.isEmpty() && System.nanoTime() < deadline) {
      for (Map.Entry<String, String> query : List.copyOf(open.entrySet())) {
        List<Double> values = prometheus.values(query.getValue());
        answers.put(query.getKey(), values);
        if (!values.isEmpty() && values.stream().allMatch(Double::isFinite)) {
          open.remove(query.getKey());
        }
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
    StringBuilder failed = new StringBuilder();
    open.forEach(
        (where, query) -> failed.append('\n').append(where).append(' ').append(answers.get(where)));
    assertEquals("", failed.toString());
    assertEquals(List.of(), prometheus.scrapeErrors());
  }

  /** What to ask for, by where it stands. */
  private static Map<String, String> expressions() throws IOException {
    Map<String, String> expressions = new TreeMap<>();
    for (DashboardSource dashboard : DashboardSource.all()) {
      for (Panel panel : dashboard.panels()) {
        panel.queries().forEach(query -> put(expressions, dashboard, panel.title(), query));
      }
      for (Variable variable : dashboard.variables()) {
        if (variable.query() != null) {
          Matcher values = LABEL_VALUES.matcher(variable.query());
          if (!values.matches()) {
            throw new AssertionError(variable.query());
          }
          String query = "count by(" + values.group(2) + ") (" + values.group(1) + ")";
          put(expressions, dashboard, variable.name(), new Query(query, ""));
        }
      }
    }
    for (Rule rule : Rule.all()) {
      expressions.put(rule.name(), PromQl.withoutComparisons(rule.expression()));
    }
    return expressions;
  }

  private static void put(
      Map<String, String> expressions, DashboardSource dashboard, String title, Query query) {
    expressions.put(
        dashboard.title() + ", " + title + ": " + query.expression(), chosen(query.expression()));
  }

  private static String chosen(String expression) {
    return VARIABLE
        .matcher(expression)
        .replaceAll(variable -> Matcher.quoteReplacement(CHOICES.get(variable.group(1))));
  }
}
