package io.warmpath.schemas.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A part of a configuration that is read field by field, and noted as it then holds. Every failure
 * is an {@link IllegalArgumentException} whose message begins with the field's full path. What is
 * left over at the {@link #end} is unknown, and refused.
 */
public final class Section {

  private static final String MASK = "***";
  private static final Pattern SECRET =
      Pattern.compile("password|secret|jaas|token|credential|private|\\.key\\b|keystore\\.key");

  private final String path;
  private final JsonNode node;
  private final Effective effective;
  private final ObjectNode noted;
  private final Set<String> known = new TreeSet<>();

  Section(String path, JsonNode node, Effective effective, ObjectNode noted) {
    this.path = path;
    this.node = node;
    this.effective = effective;
    this.noted = noted;
    if (!node.isObject() && !absent(node)) {
      throw new IllegalArgumentException((path.isEmpty() ? "file" : path) + " must hold fields");
    }
  }

  /** A field's value: what is given, or the default. */
  public <T> T get(Field<T> field) {
    JsonNode value = value(field.key());
    String at = name(field.key());
    if (absent(value)) {
      if (field.presence() == Field.Presence.REQUIRED) {
        throw new IllegalArgumentException(at + " is missing");
      }
      note(field, at, field.otherwise());
      return field.otherwise();
    }
    T read;
    try {
      if (!value.isValueNode()) {
        throw new IllegalArgumentException(" must be a " + field.type().name());
      }
      read = field.type().read(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(at + e.getMessage(), e);
    }
    field.check(at, read);
    note(field, at, read);
    return read;
  }

  private <T> void note(Field<T> field, String at, T value) {
    if (value == null) {
      return;
    }
    String text = field.type().text(value);
    effective.note(at, text, field.change());
    if (value instanceof Integer number) {
      noted.put(field.key(), number);
    } else if (value instanceof Boolean truth) {
      noted.put(field.key(), truth);
    } else if (value instanceof Long number) {
      noted.put(field.key(), number);
    } else if (value instanceof Double number) {
      noted.put(field.key(), number);
    } else {
      noted.put(field.key(), text);
    }
  }

  /** Full path of a field in this section. */
  public String name(Field<?> field) {
    return name(field.key());
  }

  /** Whether something is given there, which is then to be read. */
  public boolean has(String key) {
    return !absent(value(key));
  }

  /** Whether a list is given there. */
  public boolean isList(String key) {
    return node.path(key).isArray();
  }

  /** A section, empty if it is not there. */
  public Section section(String key) {
    return new Section(name(key), value(key), effective, noted.putObject(key));
  }

  /** A list of sections, empty if it is not there. */
  public List<Section> list(String key) {
    JsonNode value = value(key);
    List<Section> items = new ArrayList<>();
    if (!value.isArray() && !absent(value)) {
      throw new IllegalArgumentException(name(key) + " must be a list");
    }
    ArrayNode notedItems = value.isEmpty() ? null : noted.putArray(key);
    for (int i = 0; i < value.size(); i++) {
      items.add(
          new Section(name(key) + "[" + i + "]", value.get(i), effective, notedItems.addObject()));
    }
    return items;
  }

  /**
   * Properties that pass through: any name, values as texts. Those with telling names are masked.
   */
  public Map<String, Object> properties(String key, Field.Change change) {
    JsonNode value = value(key);
    if (!value.isObject() && !absent(value)) {
      throw new IllegalArgumentException(name(key) + " must hold properties");
    }
    Map<String, Object> properties = new TreeMap<>();
    ObjectNode notedProperties = noted.putObject(key);
    value
        .properties()
        .forEach(
            property -> {
              String name = property.getKey();
              if (!property.getValue().isValueNode()) {
                throw new IllegalArgumentException(name(key) + "." + name + " must be a text");
              }
              String text = property.getValue().asText();
              properties.put(name, text);
              effective.note(name(key) + "." + name, text, change);
              notedProperties.put(name, SECRET.matcher(name).find() ? MASK : text);
            });
    return properties;
  }

  /** All fields were read: what else is there is unknown. */
  public void end() {
    node.fieldNames()
        .forEachRemaining(
            key -> {
              if (!known.contains(key)) {
                throw new IllegalArgumentException(
                    name(key) + " is unknown, known are " + String.join(", ", known));
              }
            });
  }

  private JsonNode value(String key) {
    known.add(key);
    return node.path(key);
  }

  private static boolean absent(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  private String name(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
