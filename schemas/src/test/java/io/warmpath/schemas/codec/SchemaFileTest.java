package io.warmpath.schemas.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.warmpath.schemas.fixture.GoldenRecords;
import io.warmpath.schemas.fixture.Kinds;
import io.warmpath.schemas.fixture.RecordArbitraries;
import io.warmpath.schemas.fixture.Sample;
import io.warmpath.schemas.fixture.SchemaFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;

/** The schema files say exactly what the codecs write and read, so that neither can drift. */
class SchemaFileTest {

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Map<JsonCodec<?>, SchemaFile> SCHEMAS =
      Kinds.ALL.stream().collect(Collectors.toMap(Function.identity(), SchemaFile::of));

  @Property
  @Domain(RecordArbitraries.class)
  void everyEncodedRecordIsValid(@ForAll Sample<?> sample) {
    assertEquals(List.of(), SCHEMAS.get(sample.codec()).faults(tree(sample)));
  }

  @Property
  @Domain(RecordArbitraries.class)
  void fieldsAreDescribedAndStandInTheOrderOfTheSchema(@ForAll Sample<?> sample) {
    SCHEMAS
        .get(sample.codec())
        .visit(
            tree(sample),
            (definition, object) -> {
              List<String> described = names(definition.get("properties"));
              described.retainAll(names(object));
              assertEquals(described, names(object));
            });
  }

  @Example
  void everyDescribedFieldIsWritten() {
    Map<JsonNode, Set<String>> written = new IdentityHashMap<>();
    for (Sample<?> golden : GoldenRecords.all().values()) {
      SCHEMAS
          .get(golden.codec())
          .visit(
              tree(golden),
              (definition, object) ->
                  written
                      .computeIfAbsent(definition, any -> new LinkedHashSet<>())
                      .addAll(names(object)));
    }
    for (SchemaFile schema : SCHEMAS.values()) {
      for (JsonNode definition : schema.definitions()) {
        assertEquals(
            Set.copyOf(names(definition.get("properties"))),
            written.getOrDefault(definition, Set.of()),
            definition.path("description").asText());
      }
    }
  }

  @Example
  void everyFieldIsExplainedAndObjectsStayOpen() {
    for (SchemaFile schema : SCHEMAS.values()) {
      for (JsonNode definition : schema.definitions()) {
        assertTrue(definition.get("additionalProperties").asBoolean());
        for (Map.Entry<String, JsonNode> field : definition.get("properties").properties()) {
          assertTrue(field.getValue().hasNonNull("description"), field.getKey());
        }
      }
    }
  }

  private static JsonNode tree(Sample<?> sample) {
    try {
      return MAPPER.readTree(sample.encoded());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
