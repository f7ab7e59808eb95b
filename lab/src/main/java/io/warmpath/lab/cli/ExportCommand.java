package io.warmpath.lab.cli;

import io.warmpath.console.export.ExportFormat;
import io.warmpath.console.export.ExportMetricsServer;
import io.warmpath.console.export.Exporter;
import io.warmpath.console.export.HaproxySocket;
import io.warmpath.console.export.ReloadCommand;
import io.warmpath.console.export.ReplicaMap;
import io.warmpath.console.export.RouterTarget;
import io.warmpath.console.export.RouterTargets;
import io.warmpath.console.export.VanishedReplicas;
import io.warmpath.console.source.KafkaResultSource;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.stack.Parts;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Brings weights to another router. */
@Command(
    name = "export",
    description = {
      "Brings the weights to Envoy, HAProxy, nginx or a Gateway API route.",
      "Follows llm.routing-weights until Ctrl-C. Weights whose lease is over become equal ones."
          + " Only the replicas of the map are touched."
    },
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:failed, or the router does not have the weights (--once)"},
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath export --format envoy-eds --map replicas.yaml --output /etc/envoy/eds.json \\",
      "      --bootstrap-servers kafka:9092",
      "  warmpath export --format haproxy --map replicas.yaml --socket /run/haproxy/admin.sock \\",
      "      --bootstrap-servers kafka:9092",
      "  warmpath export --format nginx --map replicas.yaml --output /etc/nginx/replicas.inc \\",
      "      --bootstrap-servers kafka:9092 --reload-interval 30",
      "  warmpath export --format gateway-httproute --map replicas.yaml --once --dry-run \\",
      "      --bootstrap-servers kafka:9092 | kubectl apply -f -",
      "docs/export.md has a map for each."
    })
final class ExportCommand implements Callable<Integer> {

  /** How often the router is looked at without news: a restarted one is found by it. */
  private static final long CHECK_MS = 1_000;

  private static final Duration REPLAY = Duration.ofMinutes(10);

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      required = true,
      description = "Router: ${COMPLETION-CANDIDATES}.")
  private ExportFormat format;

  @Option(
      names = "--map",
      paramLabel = "FILE",
      required = true,
      description = "YAML file: which replica is where in the router.")
  private Path mapFile;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "File to replace (envoy-eds, nginx, gateway-httproute).")
  private Path output;

  @Option(
      names = "--socket",
      paramLabel = "PATH|HOST:PORT",
      description = "HAProxy's stats socket, of level admin (haproxy).")
  private String socket;

  @Option(
      names = "--nginx",
      paramLabel = "COMMAND",
      defaultValue = "nginx",
      split = " ",
      description = "Program and options of nginx, separated by spaces; -t and -s reload follow.")
  private List<String> nginx;

  @Option(
      names = "--reload-interval",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "Least time between two reloads (nginx).")
  private int reloadSeconds;

  @Option(
      names = "--vanished",
      paramLabel = "drain|mean",
      defaultValue = "drain",
      description =
          "What replicas get for which weights were published and are no longer: no new requests,"
              + " or the mean of the others. They stay in the router's configuration.")
  private VanishedReplicas vanished;

  @Option(
      names = "--once",
      description =
          "Ends when the router has what was published; exit code 1 if it cannot have it.")
  private boolean once;

  @Option(names = "--dry-run", description = "Prints what the router would be given.")
  private boolean dryRun;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long --once waits for Kafka and the router.")
  private int timeoutSeconds;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      description = "Serves Prometheus' metrics there, on loopback; 0 takes a free one.")
  private Integer metricsPort;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes there how the export is doing, after each change.")
  private Path json;

  @Mixin private KafkaOptions kafka;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (reloadSeconds < 0) {
      throw new IllegalArgumentException("--reload-interval must be at least 0");
    }
    JsonFile.requireWritable(json);
    ReplicaMap map = ReplicaMap.load(mapFile, format);
    RouterTarget router = router(map);
    Clock clock = Clock.systemUTC();
    ExportScreen screen = new ExportScreen(Screen.of(spec), router, dryRun, json);
    Exporter exporter =
        new Exporter(
            map,
            format,
            vanished,
            dryRun ? RouterTargets.dryRun(router) : router,
            screen,
            clock.millis());
    try (Parts parts = new Parts()) {
      if (metricsPort != null) {
        ExportMetricsServer metrics =
            parts.add(ExportMetricsServer.start("127.0.0.1", metricsPort, exporter::status, clock));
        screen.say("metrics at http://127.0.0.1:" + metrics.port() + "/metrics");
      }
      KafkaResultSource source =
          new KafkaResultSource(List.of(Topics.ROUTING_WEIGHTS), kafka.properties(), REPLAY, clock);
      parts.add(source);
      source.start(exporter);
      return once ? once(exporter, screen, clock) : follow(exporter, screen, clock);
    }
  }

  private RouterTarget router(ReplicaMap map) throws IOException {
    boolean needsFile = format != ExportFormat.HAPROXY;
    if (needsFile && output == null && !dryRun) {
      throw new IllegalArgumentException("--format " + format + " needs --output");
    }
    if (!needsFile && socket == null && !dryRun) {
      throw new IllegalArgumentException("--format " + format + " needs --socket");
    }
    if (needsFile && !dryRun) {
      JsonFile.requireWritable("--output", output);
    }
    return switch (format) {
      case ENVOY_EDS -> RouterTargets.envoy(map, output);
      case NGINX ->
          RouterTargets.nginx(
              map, output, new ReloadCommand(nginx), Duration.ofSeconds(reloadSeconds));
      case HAPROXY -> RouterTargets.haproxy(socket == null ? null : HaproxySocket.parse(socket));
      case GATEWAY_HTTPROUTE -> RouterTargets.httpRoute(map, output);
    };
  }

  private int once(Exporter exporter, ExportScreen screen, Clock clock)
      throws IOException, InterruptedException {
    long deadline = clock.millis() + Duration.ofSeconds(timeoutSeconds).toMillis();
    while (clock.millis() < deadline) {
      exporter.awaitNews(CHECK_MS);
      if (exporter.isCaughtUp()) {
        exporter.step(clock.millis());
        screen.write(exporter.status());
        if (!exporter.status().pending()) {
          return ExitCode.OK;
        }
      }
    }
    throw new IOException(
        exporter.isCaughtUp()
            ? "the router did not take the weights within " + timeoutSeconds + " s"
            : "no weights could be read within " + timeoutSeconds + " s; the router is as it was");
  }

  private int follow(Exporter exporter, ExportScreen screen, Clock clock)
      throws IOException, InterruptedException {
    while (true) {
      exporter.step(clock.millis());
      screen.write(exporter.status());
      exporter.awaitNews(CHECK_MS);
    }
  }
}
