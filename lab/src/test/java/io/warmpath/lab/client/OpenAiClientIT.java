package io.warmpath.lab.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.ProgramRun;
import io.warmpath.lab.SharedData;
import io.warmpath.lab.stack.StackConfig;
import io.warmpath.lab.stack.StackPorts;
import io.warmpath.lab.stack.WarmpathStack;
import io.warmpath.replica.engine.EngineProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The official OpenAI client for JavaScript, from npm, against balancer and replica. */
class OpenAiClientIT {

  private static final Duration INSTALLING = Duration.ofSeconds(120);
  private static final Duration RUNNING = Duration.ofSeconds(60);

  private static JsonNode result;

  @BeforeAll
  static void runClient() throws IOException, InterruptedException {
    Path folder = install();
    StackConfig config =
        new StackConfig(
            StackPorts.FREE,
            1,
            EngineProfile.load("llama-3.1-8b-h100"),
            1,
            "adaptive",
            1,
            Optional.empty());
    try (WarmpathStack stack = WarmpathStack.start(config, part -> {})) {
      ProgramRun run =
          ProgramRun.of(folder, RUNNING, "node", "client.mjs", stack.balancer() + "/v1");
      assertEquals(0, run.exitCode(), run.output());
      result = new ObjectMapper().readTree(run.output());
    }
  }

  private static Path install() throws IOException, InterruptedException {
    Assumptions.assumeTrue(
        ProgramRun.works("node", "--version") && ProgramRun.works("npm", "--version"),
        "node or npm is not installed");
    Path lab = SharedData.projectRoot().resolve("lab");
    Path folder = Files.createDirectories(lab.resolve("target/openai-client"));
    for (String name : List.of("package.json", "client.mjs")) {
      Files.copy(
          lab.resolve("src/test/openai-client").resolve(name),
          folder.resolve(name),
          StandardCopyOption.REPLACE_EXISTING);
    }
    ProgramRun npm =
        ProgramRun.of(
            folder, INSTALLING, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error");
    Assumptions.assumeTrue(
        npm.exitCode() == 0, () -> "npm cannot install the client: " + npm.output());
    return folder;
  }

  @Test
  void listsTheModel() {
    assertEquals(StackConfig.MODEL, result.path("models").path(0).asText());
  }

  @Test
  void completesAChat() {
    assertTrue(result.path("answered").asText().length() > 0);
    assertEquals(8, result.path("first_usage").path("completion_tokens").asInt());
  }

  @Test
  void streamsTheSameChat() {
    assertEquals(result.path("answered"), result.path("streamed"));
    assertEquals("length", result.path("finish_reason").asText());
  }

  @Test
  void readsCachedTokens() {
    JsonNode first = result.path("first_usage");
    JsonNode second = result.path("second_usage");

    assertEquals(0, first.path("prompt_tokens_details").path("cached_tokens").asInt(-1));
    int prompt = second.path("prompt_tokens").asInt();
    int cached = second.path("prompt_tokens_details").path("cached_tokens").asInt();
    assertEquals((prompt - 1) / 16 * 16, cached);
  }

  @Test
  void understandsARefusal() {
    assertEquals(404, result.path("refusal").path("status").asInt());
    assertEquals("NotFoundError", result.path("refusal").path("name").asText());
  }
}
