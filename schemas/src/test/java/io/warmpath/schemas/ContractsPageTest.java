package io.warmpath.schemas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.codec.JsonCodec;
import io.warmpath.schemas.fixture.GoldenFiles;
import io.warmpath.schemas.fixture.Kinds;
import io.warmpath.schemas.fixture.SchemaFile;
import io.warmpath.schemas.topic.TopicSpec;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/contracts.md says what the code does. */
class ContractsPageTest {

  private static final Pattern EXAMPLE =
      Pattern.compile("<!-- golden: (\\S+) -->\n```json\n(.*?)\n```", Pattern.DOTALL);

  /** A row of a table of fields: name, type, presence. */
  private static final Pattern FIELD =
      Pattern.compile(
          "^\\| `([a-z0-9_]+)` \\| .* \\| (always|or null|or absent) \\|", Pattern.MULTILINE);

  private static String page;

  @BeforeAll
  static void readPage() throws IOException {
    page = Files.readString(Path.of("../docs/contracts.md"));
  }

  static Set<JsonCodec<?>> kinds() {
    return Set.copyOf(Kinds.ALL);
  }

  @Test
  void everyExampleIsAGoldenFileAndEveryGoldenFileAnExample() {
    Map<String, String> shown = new TreeMap<>();
    EXAMPLE.matcher(page).results().forEach(m -> shown.put(m.group(1), minified(m.group(2))));
    Map<String, String> golden =
        GoldenFiles.names().stream()
            .collect(Collectors.toMap(name -> name, GoldenFiles::read, (a, b) -> a, TreeMap::new));
    assertEquals(golden, shown);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyFieldIsExplainedAndNoOther(JsonCodec<?> kind) {
    SchemaFile schema = SchemaFile.of(kind);
    Set<String> described = new TreeSet<>();
    for (JsonNode definition : schema.definitions()) {
      definition.get("properties").fieldNames().forEachRemaining(described::add);
    }
    described.removeAll(Set.of("v", "type"));
    Set<String> explained =
        FIELD
            .matcher(section("### " + title(kind)))
            .results()
            .map(row -> row.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    if (title(kind).equals("ShadowStats")) {
      explained.addAll(distributionFields(schema));
    }
    assertEquals(described, explained);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatMayBeMissingIsSaid(JsonCodec<?> kind) {
    SchemaFile schema = SchemaFile.of(kind);
    for (MatchResult row : FIELD.matcher(section("### " + title(kind))).results().toList()) {
      boolean always = row.group(2).equals("always");
      boolean someRequire = false;
      boolean allRequire = true;
      for (JsonNode definition : schema.definitions()) {
        if (definition.get("properties").has(row.group(1))) {
          boolean required = definition.get("required").toString().contains(quoted(row.group(1)));
          someRequire |= required;
          allRequire &= required;
        }
      }
      assertTrue(always ? someRequire : !allRequire, title(kind) + ": " + row.group());
    }
  }

  @Test
  void theTopicsAreThoseOfTheCode() {
    String topics = section("## Topics");
    for (TopicSpec topic : Topics.ALL) {
      String retention = topic.retention() == null ? "–" : topic.retention().toHours() + " h";
      String row =
          "^\\| `%s` \\|.* \\| %d \\| %s \\| %s \\|$"
              .formatted(
                  Pattern.quote(topic.name()),
                  topic.partitions(),
                  topic.cleanupPolicy(),
                  retention);
      assertTrue(Pattern.compile(row, Pattern.MULTILINE).matcher(topics).find(), topic.name());
    }
    for (JsonCodec<?> kind : Kinds.ALL) {
      String cell = "| `%s` | %d KiB |".formatted(kind.schema(), kind.maxBytes() / 1024);
      assertTrue(topics.contains(cell), cell);
    }
  }

  @Test
  void everyReasonIsExplained() {
    String rules = section("## Common rules");
    for (Reason reason : Reason.values()) {
      assertTrue(rules.contains("| `" + reason.wireName() + "` |"), reason.wireName());
    }
  }

  private static Set<String> distributionFields(SchemaFile schema) {
    Set<String> names = new TreeSet<>();
    schema.root().at("/$defs/distribution/properties").fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static String title(JsonCodec<?> kind) {
    return kind.type().getSimpleName();
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }

  /** The text under a heading, up to the next of its level or above. */
  private static String section(String heading) {
    int from = page.indexOf("\n" + heading + "\n");
    assertTrue(from >= 0, heading);
    int level = heading.indexOf(' ');
    var next = Pattern.compile("\n#{1," + level + "} ").matcher(page);
    return next.find(from + 1) ? page.substring(from, next.start()) : page.substring(from);
  }

  /** JSON without the white space between its tokens. */
  private static String minified(String json) {
    StringBuilder text = new StringBuilder();
    boolean inString = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '"' && json.charAt(i - 1) != '\\') {
        inString = !inString;
      }
      if (inString || !Character.isWhitespace(c)) {
        text.append(c);
      }
    }
    return text.toString();
  }
}
