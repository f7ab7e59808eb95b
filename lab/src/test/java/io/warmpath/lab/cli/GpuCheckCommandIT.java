package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.EmulatedCuda;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as users run it, on a GPU that a CPU plays. */
class GpuCheckCommandIT {

  @BeforeAll
  static void loadDriver() throws Exception {
    EmulatedCuda.load();
  }

  @Test
  void comparesAndMeasures(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("gpu.json");

    CommandRun run =
        CommandRun.of(List.of("gpu-check", "--transformer", "tiny", "--json", json.toString()));

    assertEquals(0, run.exitCode(), run::output);
    assertTrue(run.output().startsWith("Emulated device, compute capability 9.0"), run::output);
    assertFalse(run.output().contains("WRONG"), run::output);
    JsonNode found = new ObjectMapper().readTree(json.toFile());
    assertTrue(found.get("correctness").size() > 50, found::toString);
    for (JsonNode each : found.get("correctness")) {
      assertTrue(each.get("largest").asDouble() <= each.get("tolerance").asDouble());
    }
    assertTrue(found.get("speed").get("prefill_tokens_per_second").asDouble() > 0);
    assertTrue(found.get("speed").get("decode_tokens_per_second").asDouble() > 0);
    assertTrue(found.get("speed").get("fit").get("b1_us").asDouble() > 0, found::toString);
  }
}
