package io.warmpath.lab.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.warmpath.lab.Await;
import io.warmpath.lab.compose.Yaml;
import io.warmpath.lab.embedded.KafkaNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A Prometheus with the project's configuration, of which only targets and times are others. */
final class PrometheusServer implements AutoCloseable {

  private static final Path PROGRAM = Path.of("/usr/bin/prometheus");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Process process;
  private final URI address;
  private final HttpClient http = HttpClient.newHttpClient();
  private final JsonMapper json = new JsonMapper();

  private PrometheusServer(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /** Skips the test where Prometheus is not installed. */
  static void assumeInstalled() {
    Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "prometheus is not installed");
  }

  /**
   * Starts one that scrapes and evaluates each second.
   *
   * @param folder an empty folder
   * @param targets addresses to scrape for a job and one of its configured targets; a target
   *     without any is left out
   */
  static PrometheusServer start(Path folder, BiFunction<String, String, List<String>> targets)
      throws IOException {
    Path config = folder.resolve("prometheus.yml");
    Files.writeString(config, new org.yaml.snakeyaml.Yaml().dump(configuration(targets)));
    Path rules = Files.createDirectory(folder.resolve("rules"));
    try (Stream<Path> files = Files.list(Rule.FOLDER)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, rules.resolve(file.getFileName()));
      }
    }
    String listen = "127.0.0.1:" + KafkaNode.freePort();
    Process process =
        new ProcessBuilder(
                PROGRAM.toString(),
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=" + listen,
                "--log.level=warn")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    PrometheusServer server = new PrometheusServer(process, URI.create("http://" + listen));
    Await.until("Prometheus is ready", PATIENCE, () -> server.get("/-/ready").statusCode() == 200);
    return server;
  }

  private static Map<String, Object> configuration(BiFunction<String, String, List<String>> targets)
      throws IOException {
    Map<String, Object> config =
        new LinkedHashMap<>(Yaml.read(DashboardSource.FOLDER.resolve("prometheus.yml")));
    config.put(
        "global",
        Map.of("scrape_interval", "1s", "scrape_timeout", "1s", "evaluation_interval", "1s"));
    List<Object> jobs = new ArrayList<>();
    for (Object node : Yaml.list(config.get("scrape_configs"))) {
      Map<String, Object> job = new LinkedHashMap<>(Yaml.map(node));
      List<Object> groups = new ArrayList<>();
      for (Object group : Yaml.list(job.get("static_configs"))) {
        Map<String, Object> moved = new LinkedHashMap<>(Yaml.map(group));
        List<String> there =
            Yaml.texts(moved.get("targets")).stream()
                .flatMap(name -> targets.apply((String) job.get("job_name"), name).stream())
                .toList();
        if (!there.isEmpty()) {
          moved.put("targets", there);
          groups.add(moved);
        }
      }
      job.put("static_configs", groups);
      jobs.add(job);
    }
    config.put("scrape_configs", jobs);
    return config;
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(address.resolve(path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /**
   * The values of an expression now.
   *
   * @throws AssertionError if Prometheus does not understand it
   */
  List<Double> values(String expression) throws IOException, InterruptedException {
    String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    JsonNode answer = json.readTree(get("/api/v1/query?query=" + query).body());
    if (!answer.get("status").asText().equals("success")) {
      throw new AssertionError(expression + ": " + answer.get("error").asText());
    }
    List<Double> values = new ArrayList<>();
    for (JsonNode series : answer.at("/data/result")) {
      values.add(parse(series.at("/value/1").asText()));
    }
    return values;
  }

  private static double parse(String value) {
    return switch (value) {
      case "NaN" -> Double.NaN;
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(value);
    };
  }

  /** Why targets could not be scraped, by their address; empty where all were. */
  List<String> scrapeErrors() throws IOException, InterruptedException {
    List<String> errors = new ArrayList<>();
    for (JsonNode target : json.readTree(get("/api/v1/targets").body()).at("/data/activeTargets")) {
      if (!target.get("lastError").asText().isEmpty()) {
        errors.add(target.get("scrapeUrl").asText() + ": " + target.get("lastError").asText());
      }
    }
    return errors;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
