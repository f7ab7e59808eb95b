package io.warmpath.replica.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineProfileTest {

  @TempDir Path folder;

  @Test
  void builtInProfilesLoadUnderTheirNames() {
    for (String name : ProfileFile.BUILT_IN) {
      EngineProfile profile = EngineProfile.load(name);
      assertEquals(name, profile.name());
      assertFalse(profile.source().isBlank());
    }
  }

  @Test
  void unknownNameIsRefusedWithTheKnownOnes() {
    String message = refusal("llama");
    assertTrue(message.contains("'llama'"), message);
    assertTrue(message.contains("founding, llama-3.1-8b-a100, llama-3.1-8b-h100, "), message);
  }

  @Test
  void fileIsReadByItsPath() throws IOException {
    assertEquals(
        12,
        EngineProfile.load(edited("\"token_budget\": 2048", "\"token_budget\": 12")).tokenBudget());
  }

  @Test
  void errorsNameFileAndField() throws IOException {
    assertRefused(
        "token_budget is 0, must be from 1", "\"token_budget\": 2048", "\"token_budget\": 0");
    assertRefused("token_budget: ", "\"token_budget\": 2048", "\"token_budget\": \"many\"");
    assertRefused("token_budget", "\"token_budget\": 2048,", "");
    assertRefused("tokenz: ", "{", "{\"tokenz\": 1,");
    assertRefused(
        "gpu.memory_used_bytes is", "\"memory_used_bytes\": ", "\"memory_used_bytes\": -");
    assertRefused("b0_us is 0", "\"b0_us\": 13500.0", "\"b0_us\": 0");
    assertRefused("not JSON", "\"source\"", "source");
  }

  @Test
  void missingFileIsNamed() {
    String path = folder.resolve("none.json").toString();
    assertTrue(refusal(path).contains(path));
  }

  private void assertRefused(String expected, String from, String to) throws IOException {
    String path = edited(from, to);
    String message = refusal(path);
    assertTrue(message.contains(path), message);
    assertTrue(message.contains(expected), message);
  }

  /** A copy of a profile of fixed content with one change. */
  private String edited(String from, String to) throws IOException {
    String json =
        """
        {
          "name": "mine", "source": "made up",
          "b0_us": 13500.0, "b1_us_per_prefill_token": 50.0, "b2_us_per_decode_sequence": 300.0,
          "attention_us_per_decode_context_token": 0.02, "attention_us_per_prefill_pair": 0.001,
          "request_overhead_us": 65000, "token_budget": 2048, "max_sequences": 256,
          "kv_blocks": 10000, "block_tokens": 16,
          "gpu": {"name": "any", "memory_total_bytes": 100, "memory_used_bytes": 90}
        }
        """;
    Path file = folder.resolve("mine.json");
    Files.writeString(file, json.replaceFirst(java.util.regex.Pattern.quote(from), to));
    return file.toString();
  }

  private static String refusal(String nameOrPath) {
    return assertThrows(IllegalArgumentException.class, () -> EngineProfile.load(nameOrPath))
        .getMessage();
  }
}
