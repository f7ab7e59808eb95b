package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.EmulatedCuda;
import io.warmpath.replica.engine.EngineProfile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calibration of the CUDA engine, on a GPU that a CPU plays. */
class CalibrateCudaIT {

  @BeforeAll
  static void loadDriver() throws Exception {
    EmulatedCuda.load();
  }

  @Test
  void measuresTheEngineAndFitsAProfileOfThisGpu(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("all.json");
    Path out = folder.resolve("gpu.json");
    CommandRun run =
        CommandRun.of(
            List.of(
                "calibrate",
                "--target=cuda:tiny",
                "--prompt-tokens=17,33,65",
                "--cached-share=0,0.5",
                "--concurrency=0,2",
                "--repeats=2",
                "--json=" + json,
                "--out=" + out));
    assertEquals(0, run.exitCode(), run::output);
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertEquals("cuda:tiny", report.at("/target").asText());
    assertEquals(96, report.at("/token_budget").asInt());
    assertEquals(2 * (3 * 2 * 2 + 2 * 2), report.at("/probes").asInt());
    boolean reused = false;
    for (JsonNode observation : report.at("/observations")) {
      assertTrue(observation.at("/measured_us").asDouble() >= 1, observation::toString);
      reused |=
          observation.at("/kind").asText().equals("first_token")
              && observation.at("/cached_tokens").asInt() == 32;
    }
    assertTrue(reused, report::toString);
    EngineProfile fitted = EngineProfile.load(out.toString());
    assertEquals("Emulated device", fitted.gpu().name());
    assertEquals(512, fitted.kvBlocks());
    assertTrue(fitted.b1UsPerPrefillToken() + fitted.attentionUsPerPrefillPair() > 0, run::output);
  }
}
