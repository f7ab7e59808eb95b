package io.warmpath.schemas.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** The text of a YAML file: its tree, and the line of each option in it. */
public final class YamlText {

  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String source;
  private final JsonNode tree;
  private final Effective effective = new Effective(YAML.createObjectNode());
  private final Map<String, Integer> lines = new HashMap<>();

  /**
   * Reads a text.
   *
   * @param source name of the file, for messages
   * @throws ConfigException if it is not YAML
   */
  public static YamlText parse(String source, String text) {
    try {
      return new YamlText(source, text);
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new ConfigException(source + ":" + line + ": " + problem(e), null);
    } catch (IOException e) {
      throw new ConfigException(source + ": " + e.getMessage(), e);
    }
  }

  /** What is wrong, without the text around it: a password may stand there. */
  private static String problem(JsonProcessingException failure) {
    return failure.getCause() instanceof MarkedYAMLException marked
        ? marked.getProblem()
        : failure.getOriginalMessage();
  }

  private YamlText(String source, String text) throws IOException {
    this.source = source;
    this.tree = YAML.readTree(text);
    try (JsonParser parser = YAML.createParser(text)) {
      if (parser.nextToken() != null) {
        noteLines(parser, "");
      }
      if (parser.nextToken() != null) {
        int line = parser.currentTokenLocation().getLineNr();
        throw new ConfigException(
            source + ":" + line + ": only one document may be in a file", null);
      }
    }
  }

  private void noteLines(JsonParser parser, String path) throws IOException {
    lines.putIfAbsent(path, parser.currentTokenLocation().getLineNr());
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = path.isEmpty() ? parser.currentName() : path + "." + parser.currentName();
        lines.put(field, parser.currentTokenLocation().getLineNr());
        parser.nextToken();
        noteLines(parser, field);
      }
    } else if (parser.currentToken() == JsonToken.START_ARRAY) {
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        noteLines(parser, path + "[" + i + "]");
      }
    }
  }

  /** The whole file as a section. */
  public Section root() {
    return new Section("", tree, effective, effective.tree());
  }

  /** The fields as they hold, as far as they were read. */
  public Effective effective() {
    return effective;
  }

  /**
   * The same failure with the line of the option that its message begins with, or of the nearest
   * one around it.
   */
  public ConfigException located(IllegalArgumentException failure) {
    String message = failure.getMessage();
    int end = 0;
    while (end < message.length() && " :".indexOf(message.charAt(end)) < 0) {
      end++;
    }
    String option = message.substring(0, end);
    Integer line = lines.get(option);
    while (line == null && !option.isEmpty()) {
      option =
          option.substring(
              0, Math.max(0, Math.max(option.lastIndexOf('.'), option.lastIndexOf('['))));
      line = lines.get(option);
    }
    return new ConfigException(source + ":" + (line == null ? 1 : line) + ": " + message, failure);
  }
}
