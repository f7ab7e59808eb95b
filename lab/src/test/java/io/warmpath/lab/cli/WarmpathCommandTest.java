package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class WarmpathCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return WarmpathCommand.commandLine()
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  static Stream<String> commands() {
    return WarmpathCommand.commandLine().getSubcommands().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelpWithExamples(String command) {
    assertEquals(0, run(command, "--help"), err::toString);
    assertTrue(out.toString().contains("Usage: warmpath " + command), out::toString);
    assertTrue(out.toString().contains("Examples:"), out::toString);
    assertTrue(out.toString().contains("Exit codes:"), out::toString);
    for (String code : new String[] {"0", "1", "2", "130"}) {
      assertTrue(out.toString().matches("(?s).*\\n +" + code + " +[a-z].*"), out::toString);
    }
  }

  @Test
  void withoutATerminalThereAreNoColours() {
    assertEquals(0, run("demo", "--help"));
    assertEquals(-1, out.toString().indexOf('\u001b'), out::toString);
  }

  @Test
  void withoutACommandItShowsWhichThereAre() {
    assertEquals(2, run());
    assertTrue(err.toString().contains("demo"), err::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense | Unmatched argument at index 0: 'nonsense'",
        "up --nonsense | Unknown option: '--nonsense'",
        "up --replicas 0 | warmpath up: --replicas must be from 1 to 64, not 0",
        "up --time-scale 0.5 | warmpath up: --time-scale must be at least 1, not 0.5",
        "up --policy fastest | unknown policy 'fastest'",
        "up --profile none | none",
        "demo --time-scale 6 | warmpath demo: --time-scale must be at most 5",
        "slow replica-0 0 | warmpath slow: FACTOR must be greater than 0",
        "topics | Missing required option: '--bootstrap-servers=",
        "topics --bootstrap-servers localhost:1 --partitions x=3 | --partitions: unknown topic x",
        "replay --trace none --target nowhere | warmpath replay: --target is no URL",
        "simulate | specify one of these",
        "simulate --trace none --runs 3 | --runs and --seed go with --workload",
        "simulate --trace none --slow x | 'x' is not I=FACTOR[@TIME]",
        "policy-grid --trace none --slow x | 'x' is not I=FACTOR[@TIME]",
        "simulate --trace none --policy fastest | unknown policy 'fastest'",
        "simulate --workload founding --engine fifo | --engine fifo goes with --trace",
        "simulate --workload founding --policy adaptive | --policy must name round_robin",
        "replica --kafka a=b | warmpath replica: --kafka needs --bootstrap-servers",
        "replica --engine gpu | Invalid value for option '--engine'",
        "replica --engine cuda --transformer none | no transformer 'none'",
        "replica --engine cuda --time-scale 2 | time_scale is 2.0, must be 1",
        "replica --kv-events-topic a | --kv-events-… needs --kv-events-publisher zmq",
        "calibrate --target cuda:none | no transformer 'none'",
        "calibrate --target cuda --base founding | --base goes with a URL",
        "gpu-check --transformer none | no transformer 'none'",
        "verify-log | Missing required option: '--bootstrap-servers=",
        "verify-log --bootstrap-servers x:1 --from noon | warmpath verify-log: --from: must be a"
            + " time",
        "verify-log --bootstrap-servers x:1 --from 2 --to 1 | --from must be before --to",
        "verify-log --bootstrap-servers x:1 --parallelism 0 | --parallelism: each must be from 1",
        "verify-log --bootstrap-servers x:1 --bound soon | warmpath verify-log: --bound: must be",
        "export --format haproxy --map none | Missing required option: '--bootstrap-servers=",
        "export --format ftp --map none --bootstrap-servers x:1 | Invalid value for option"
            + " '--format'",
        "demo --report /nowhere/page.html | --report: cannot write /nowhere/page.html",
        "deploy stats | Missing required option: '--target=URL'",
        "deploy neither --target http://x:1 | Invalid value for positional parameter",
        "deploy stats --target nowhere | warmpath deploy: --target: must be http://HOST:PORT",
        "deploy stats --target http://x:1 | warmpath deploy: --jar: must be given",
        "deploy stats --target http://x:1 --jar a -- --bound 2s | --bootstrap-servers: must be given",
        "deploy stats --target http://x:1 --jar a --verify-for soon -- --bootstrap-servers k:1 | --verify-for: must be a duration",
        "deploy stats --target http://x:1 --jar a --compare-for 2h -- --bootstrap-servers k:1 | --compare-for: must be at most",
        "deploy stats --target http://x:1 --jar a --expect-change T.x -- --bootstrap-servers k:1 | --expect-change: 'T.x'",
        "job neither | Invalid value for positional parameter"
      })
  void wrongUseIsExitCode2AndNamesWhatIsWrong(String line, String message) {
    assertEquals(2, run(line.strip().split(" ")), err::toString);
    assertTrue(err.toString().contains(message.strip()), err::toString);
  }

  @Test
  void aTraceThatIsNotThereIsExitCode1() {
    assertEquals(1, run("simulate", "--trace", "none.jsonl"));
    assertTrue(err.toString().contains("none.jsonl: no such file"), err::toString);
  }

  @Test
  void theFoundingStudyWritesItsFigures(@TempDir Path folder) throws IOException {
    Path json = folder.resolve("out.json");

    assertEquals(
        0, run("simulate", "--workload", "founding", "--runs", "3", "--json", json.toString()));

    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertEquals(3, report.at("/policies/2/by_run").size());
    assertEquals(110, report.at("/policies/0/by_run/0/requests").intValue());
    assertEquals(2.74, report.at("/published_p95_ratio").doubleValue());
    assertTrue(out.toString().contains("published round_robin"), out::toString);
  }

  @Test
  void whatCannotBeReachedIsExitCode1() {
    assertEquals(1, run("slow", "replica-0", "0.5", "--admin", "http://127.0.0.1:1"));
    assertTrue(err.toString().contains("the balancer cannot be reached"), err::toString);
  }
}
