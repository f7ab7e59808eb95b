package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.replica.ReplicaConfig;
import io.warmpath.replica.ReplicaServer;
import io.warmpath.replica.engine.EngineProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrateCommandTest {

  @TempDir Path folder;

  @Test
  void modelIsMeasuredAndItsProfileWritten() throws IOException {
    Path profile = folder.resolve("mine.json");
    Path page = folder.resolve("page.md");
    CommandRun run =
        CommandRun.of(
            List.of(
                "calibrate",
                "--target",
                "modelled:opt-13b-a100",
                "--out",
                profile.toString(),
                "--report",
                page.toString()));
    assertEquals(0, run.exitCode(), run.output());
    assertTrue(run.output().contains("b1_us_per_prefill_token"), run.output());
    EngineProfile fitted = EngineProfile.load(profile.toString());
    EngineProfile actual = EngineProfile.load("opt-13b-a100");
    assertEquals(actual.kvBlocks(), fitted.kvBlocks());
    assertEquals(actual.b0Us(), fitted.b0Us(), 0.03 * actual.b0Us());
    assertTrue(Files.readString(page).startsWith("# Calibration of modelled:opt-13b-a100\n"));
  }

  /** Figures of a busy machine are what they are; that they are there is what counts. */
  @Test
  void serverIsMeasuredInRealTime() throws IOException {
    Path json = folder.resolve("figures.json");
    Path profile = folder.resolve("mine.json");
    ReplicaConfig config = ReplicaConfig.builder().port(0).timeScale(5).build();
    try (ReplicaServer replica = ReplicaServer.start(config)) {
      CommandRun run =
          CommandRun.of(
              List.of(
                  "calibrate",
                  "--target",
                  "http://127.0.0.1:" + replica.port() + "/v1",
                  "--base",
                  "founding",
                  "--prompt-tokens",
                  "64,256",
                  "--cached-share",
                  "0,0.5",
                  "--concurrency",
                  "0,2",
                  "--repeats",
                  "1",
                  "--json",
                  json.toString(),
                  "--out",
                  profile.toString()));
      assertEquals(0, run.exitCode(), run.output());
    }
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertEquals(4 + 4 + 4, report.path("observations").size());
    assertEquals(12, report.path("probes").asInt());
    for (JsonNode point : report.path("observations")) {
      assertTrue(point.path("measured_us").asDouble() > 0);
    }
    JsonNode half = report.path("observations").path(4 + 3);
    assertEquals("first_token", half.path("kind").asText());
    assertEquals(128, half.path("cached_tokens").asInt());
    assertFalse(report.path("constants").path(0).has("actual"));
    assertEquals(2_048, EngineProfile.load(profile.toString()).tokenBudget());
  }

  @Test
  void targetThatIsNoneIsRefused() {
    CommandRun run = CommandRun.of(List.of("calibrate", "--target", "somewhere"));
    assertEquals(2, run.exitCode());
    assertTrue(
        run.output().contains("neither modelled[:PROFILE] nor cuda[:TRANSFORMER] nor an http"),
        run.output());
  }

  @Test
  void serverThatIsNotThereIsNamed() {
    CommandRun run = CommandRun.of(List.of("calibrate", "--target", "http://127.0.0.1:1"));
    assertEquals(1, run.exitCode());
    assertTrue(run.output().contains("http://127.0.0.1:1: cannot connect"), run.output());
  }

  @Test
  void withoutADriverOneLineSaysSo() {
    CommandRun run = CommandRun.of(List.of("calibrate", "--target", "cuda:tiny"));
    assumeTrue(run.exitCode() != 0, "skipped: this machine has a GPU");
    assertEquals(1, run.exitCode(), run::output);
    assertTrue(run.output().startsWith("warmpath calibrate: --target cuda: no "), run::output);
    assertEquals(1, run.output().lines().count(), run::output);
  }
}
