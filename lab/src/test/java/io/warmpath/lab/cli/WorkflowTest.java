package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.config.ShadowJobConfig;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.lab.compose.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The workflow runs commands that are there. Each script is run here by the same shell, with
 * everything that it calls replaced by a recorder of its arguments; what was recorded is then
 * looked at by those who would have to understand it.
 */
class WorkflowTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path WORKFLOW = ROOT.resolve(".github/workflows/ci.yml");

  /** What the runner and the repository's variables would say. */
  private static final Map<String, String> VALUES =
      Map.of(
          "vars.FLINK_REST_URL", "http://flink:8081",
          "vars.KAFKA_BOOTSTRAP_SERVERS", "kafka:9092",
          "vars.SAVEPOINT_DIRECTORY", "file:///savepoints",
          "vars.EXPECT_CHANGE", "ttft.p95_us,rps",
          "vars.KV_BLOCKS", "8192",
          "github.repository", "owner/warmpath",
          "github.workspace", "/work",
          "secrets.GITHUB_TOKEN", "token");

  private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{\\s*(.*?)\\s*}}");

  @TempDir private Path folder;

  /** Every script of the workflow, once for each entry of its job's matrix. */
  static Stream<Arguments> scripts() throws IOException {
    List<Arguments> scripts = new ArrayList<>();
    for (Map.Entry<String, Object> job : Yaml.map(workflow().get("jobs")).entrySet()) {
      Map<String, Object> content = Yaml.map(job.getValue());
      List<Object> matrix =
          Yaml.list(Yaml.map(Yaml.map(content.get("strategy")).get("matrix")).get("include"));
      for (Object entry : matrix.isEmpty() ? List.<Object>of(Map.of()) : matrix) {
        Map<String, String> environment = environment(content, Yaml.map(entry));
        for (Object step : Yaml.list(content.get("steps"))) {
          Map<String, Object> each = Yaml.map(step);
          if (each.containsKey("run")) {
            Map<String, String> all = new LinkedHashMap<>(environment);
            all.putAll(environment(each, Yaml.map(entry)));
            scripts.add(Arguments.of(job.getKey() + ": " + each.get("name"), each.get("run"), all));
          }
        }
      }
    }
    return scripts.stream();
  }

  private static Map<String, Object> workflow() throws IOException {
    return Yaml.read(WORKFLOW);
  }

  private static Map<String, String> environment(
      Map<String, Object> node, Map<String, Object> matrix) {
    Map<String, String> environment = new LinkedHashMap<>();
    Yaml.map(node.get("env"))
        .forEach((name, value) -> environment.put(name, filled(value.toString(), matrix)));
    return environment;
  }

  private static String filled(String text, Map<String, Object> matrix) {
    Matcher matcher = EXPRESSION.matcher(text);
    return matcher.replaceAll(
        found -> {
          String name = found.group(1);
          Object value =
              name.startsWith("matrix.")
                  ? filled(String.valueOf(matrix.get(name.substring(7))), Map.of())
                  : VALUES.get(name);
          assertTrue(value != null, () -> "no value for " + name);
          return Matcher.quoteReplacement(value.toString());
        });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scripts")
  void everyScriptCallsWhatIsThere(String name, String script, Map<String, String> environment)
      throws Exception {
    List<List<String>> calls = run(script, environment);

    assertFalse(calls.isEmpty(), "nothing was called");
    for (List<String> call : calls) {
      List<String> arguments = call.subList(1, call.size());
      switch (call.get(0)) {
        case "warmpath" -> assertWarmpath(arguments);
        case "docker" -> assertDocker(arguments);
        case "cp" ->
            assertEquals(
                List.of("jobs/target/warmpath-jobs-0-all.jar", "warmpath-jobs.jar"), arguments);
        default -> throw new AssertionError("unknown command " + call);
      }
    }
  }

  /** Runs a script with recorders in place of what it calls. */
  private List<List<String>> run(String script, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path recorded = folder.resolve("calls");
    Path recorder = folder.resolve("warmpath");
    Files.writeString(
        recorder,
        "#!/bin/bash\nprintf '%s\\0' \"${0##*/}\" \"$@\" >> '"
            + recorded
            + "'\n"
            + "printf '\\n' >> '"
            + recorded
            + "'\n");
    assertTrue(recorder.toFile().setExecutable(true));
    for (String other : List.of("docker", "cp")) {
      Files.copy(
          recorder,
          Files.createDirectories(folder.resolve("bin")).resolve(other),
          java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.createFile(
        Files.createDirectories(folder.resolve("jobs/target")).resolve("warmpath-jobs-0-all.jar"));
    Path journal = Files.createFile(folder.resolve("journal.json"));
    ProcessBuilder shell =
        // As the runner does.
        new ProcessBuilder("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
            .directory(folder.toFile())
            .redirectErrorStream(true);
    shell.environment().putAll(environment);
    shell.environment().put("GITHUB_SHA", "0123abc");
    shell.environment().put("GITHUB_ACTOR", "someone");
    shell.environment().computeIfPresent("JOURNAL", (key, value) -> journal.toString());
    shell.environment().merge("PATH", folder.resolve("bin") + ":", (old, added) -> added + old);
    Process process = shell.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), said);
    return Files.exists(recorded)
        ? Files.readString(recorded).lines().map(line -> List.of(line.split("\0"))).toList()
        : List.of();
  }

  private static void assertWarmpath(List<String> arguments) throws IOException {
    assertTrue(Files.isExecutable(ROOT.resolve("warmpath")));
    if (arguments.equals(List.of("test"))) {
      assertTrue(Files.readString(ROOT.resolve("README.md")).contains("\n./warmpath test\n"));
      return;
    }
    WarmpathCommand.commandLine().parseArgs(arguments.toArray(String[]::new));
    assertEquals("deploy", arguments.get(0));
    int end = arguments.indexOf("--");
    if (end >= 0) {
      String[] options = arguments.subList(end + 1, arguments.size()).toArray(String[]::new);
      switch (arguments.get(1)) {
        case "stats" -> StatsJobConfig.parse(options);
        case "weights" -> WeightsJobConfig.parse(options);
        default -> ShadowJobConfig.parse(options);
      }
    }
  }

  private static void assertDocker(List<String> arguments) throws IOException {
    if (arguments.get(0).equals("build")) {
      Path file = ROOT.resolve(arguments.get(arguments.indexOf("-f") + 1));
      String target = arguments.get(arguments.indexOf("--target") + 1);
      assertTrue(Files.readString(file).contains(" AS " + target + "\n"), target + " is no stage");
      assertEquals(".", arguments.get(arguments.size() - 1));
    } else {
      assertTrue(List.of("login", "push").contains(arguments.get(0)), arguments::toString);
    }
  }

  @Test
  void aDeploymentIsOnlyMadeOfWhatWasTested() throws IOException {
    Map<String, Object> jobs = Yaml.map(workflow().get("jobs"));
    assertEquals(List.of("test", "image"), Yaml.list(Yaml.map(jobs.get("deploy")).get("needs")));
    assertEquals("test", Yaml.map(jobs.get("image")).get("needs"));
    assertEquals("production", Yaml.map(jobs.get("deploy")).get("environment"));
  }

  @Test
  void whatIsDeployedStandsInTheGuide() throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/deploy.md"));
    assertTrue(guide.contains(".github/workflows/ci.yml"));
    for (String variable : VALUES.keySet()) {
      if (variable.startsWith("vars.")) {
        assertTrue(guide.contains(variable.substring(5)), variable);
      }
    }
  }
}
