package io.warmpath.lab.compose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.warmpath.lab.ProgramRun;
import io.warmpath.lab.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * docker-compose.yml against the Compose specification's own JSON Schema, as the linter dclint
 * brings it along from npm.
 */
class ComposeSchemaIT {

  private static final String PACKAGE = "dclint@3.1.0";
  private static final Duration FETCHING = Duration.ofSeconds(60);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static Schema schema;
  private static JsonNode file;

  @BeforeAll
  static void read() throws IOException, InterruptedException {
    ObjectNode definition = (ObjectNode) MAPPER.readTree(schemaFile().toFile());
    // It names draft 7 and itself by addresses that no validator takes.
    definition.remove(List.of("$schema", "$id"));
    schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(definition);
    file =
        MAPPER.valueToTree(
            ComposeFile.interpolated(SharedData.projectRoot().resolve("docker-compose.yml")));
  }

  private static Path schemaFile() throws IOException, InterruptedException {
    Path folder =
        Files.createDirectories(SharedData.projectRoot().resolve("lab/target/compose-schema"));
    Path schema = folder.resolve("package/schemas/compose.schema.json");
    if (!Files.exists(schema)) {
      Assumptions.assumeTrue(
          ProgramRun.works("npm", "--version") && ProgramRun.works("tar", "--version"),
          "npm or tar is not installed");
      ProgramRun pack = ProgramRun.of(folder, FETCHING, "npm", "pack", PACKAGE, "--loglevel=error");
      Assumptions.assumeTrue(
          pack.exitCode() == 0, () -> "npm cannot fetch the schema: " + pack.output());
      String archive = pack.output().strip();
      ProgramRun unpack = ProgramRun.of(folder, FETCHING, "tar", "-xzf", archive);
      assertEquals(0, unpack.exitCode(), unpack.output());
    }
    return schema;
  }

  @Test
  void meetsTheSpecification() {
    assertEquals(List.of(), faults(file));
  }

  @Test
  void theSchemaRefusesWhatTheSpecificationDoesNotKnow() {
    ObjectNode wrong = file.deepCopy();
    ((ObjectNode) wrong.at("/services/kafka")).put("memory_limit", "1g");
    assertFalse(faults(wrong).isEmpty());

    wrong = file.deepCopy();
    ((ObjectNode) wrong.at("/services/kafka"))
        .set("depends_on", MAPPER.valueToTree(Map.of("topics", Map.of("condition", "healthy"))));
    assertFalse(faults(wrong).isEmpty());
  }

  private static List<String> faults(JsonNode document) {
    return schema.validate(document).stream().map(Object::toString).toList();
  }
}
