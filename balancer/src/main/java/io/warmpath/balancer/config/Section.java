package io.warmpath.balancer.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a configuration that is read option by option. Every failure is an {@link
 * IllegalArgumentException} whose message begins with the option's full name. What is left over at
 * the {@link #end} is unknown, and refused.
 */
public final class Section {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  private final String path;
  private final JsonNode node;
  private final Set<String> known = new HashSet<>();

  Section(String path, JsonNode node) {
    this.path = path;
    this.node = node;
    if (!node.isObject() && !absent(node)) {
      throw new IllegalArgumentException((path.isEmpty() ? "file" : path) + " must hold options");
    }
  }

  /** A text that must be there. */
  public String text(String option) {
    return text(option, null);
  }

  /**
   * A text.
   *
   * @param otherwise value if there is none; null if there must be one
   */
  public String text(String option, String otherwise) {
    JsonNode value = value(option);
    if (absent(value)) {
      if (otherwise == null) {
        throw refused(option, "is missing");
      }
      return otherwise;
    }
    if (!value.isValueNode()) {
      throw refused(option, "must be a text");
    }
    return value.asText();
  }

  /** A text that means something; the parser's complaint is passed on. */
  public <T> T parsed(String option, String otherwise, Function<String, T> parser) {
    String text = text(option, otherwise);
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name(option) + ": " + e.getMessage(), e);
    }
  }

  /** A whole number within bounds. */
  public int integer(String option, int otherwise, int least, int most) {
    JsonNode value = value(option);
    if (absent(value)) {
      return otherwise;
    }
    if (!value.canConvertToInt() || !value.isIntegralNumber()) {
      throw refused(option, "must be a whole number: " + value.asText());
    }
    if (value.intValue() < least || value.intValue() > most) {
      throw refused(option, "must be " + least + " to " + most + ": " + value.intValue());
    }
    return value.intValue();
  }

  /** A number. */
  public double number(String option, double otherwise) {
    JsonNode value = value(option);
    if (absent(value)) {
      return otherwise;
    }
    if (!value.isNumber()) {
      throw refused(option, "must be a number: " + value.asText());
    }
    return value.doubleValue();
  }

  /** A length of time with its unit. */
  public Duration duration(String option, String otherwise) {
    String text = text(option, otherwise);
    Matcher parts = DURATION.matcher(text);
    if (!parts.matches()) {
      throw refused(option, "must be a number with ms, s, m or h: " + text);
    }
    long number = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }

  /** A section, empty if it is not there. */
  public Section section(String option) {
    return new Section(name(option), value(option));
  }

  /** A list of sections, empty if it is not there. */
  public List<Section> list(String option) {
    JsonNode value = value(option);
    List<Section> items = new ArrayList<>();
    if (!value.isArray() && !absent(value)) {
      throw refused(option, "must be a list");
    }
    for (int i = 0; i < value.size(); i++) {
      items.add(new Section(name(option) + "[" + i + "]", value.get(i)));
    }
    return items;
  }

  /** Properties that pass through: any name, values as texts. */
  public Map<String, Object> properties(String option) {
    JsonNode value = value(option);
    Map<String, Object> properties = new HashMap<>();
    if (!value.isObject() && !absent(value)) {
      throw refused(option, "must hold properties");
    }
    value
        .properties()
        .forEach(
            property -> {
              if (!property.getValue().isValueNode()) {
                throw refused(option + "." + property.getKey(), "must be a text");
              }
              properties.put(property.getKey(), property.getValue().asText());
            });
    return properties;
  }

  /** All options were read: what else is there is unknown. */
  public void end() {
    node.fieldNames()
        .forEachRemaining(
            option -> {
              if (!known.contains(option)) {
                throw refused(option, "is unknown");
              }
            });
  }

  private JsonNode value(String option) {
    known.add(option);
    return node.path(option);
  }

  private static boolean absent(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  private IllegalArgumentException refused(String option, String rule) {
    return new IllegalArgumentException(name(option) + " " + rule);
  }

  private String name(String option) {
    return path.isEmpty() ? option : path + "." + option;
  }
}
