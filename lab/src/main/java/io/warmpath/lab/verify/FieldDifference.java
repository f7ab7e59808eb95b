package io.warmpath.lab.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The first field in which two records differ.
 *
 * @param field its path, or empty where the records differ as a whole
 * @param one its value in the one, as JSON; null where it is absent
 * @param other its value in the other, likewise
 */
public record FieldDifference(String field, String one, String other) {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MAX_CHARS = 120;
  private static final Pattern PLACES = Pattern.compile("\\[\\d+\\]");
  private static final Predicate<String> NONE = field -> false;

  /**
   * Compares two records byte by byte.
   *
   * @param one null if there is none
   * @param other null if there is none
   * @return null if they are equal
   */
  public static FieldDifference between(byte[] one, byte[] other) {
    return between(one, other, NONE);
  }

  /**
   * The same, where some fields may differ.
   *
   * @param ignored tells of a field's path, without places in lists, whether it may
   */
  public static FieldDifference between(byte[] one, byte[] other, Predicate<String> ignored) {
    if (Arrays.equals(one, other)) {
      return null;
    }
    if (one == null || other == null) {
      return new FieldDifference("", text(one), text(other));
    }
    try {
      JsonNode a = MAPPER.readTree(one);
      JsonNode b = MAPPER.readTree(other);
      FieldDifference found = first("", a, b, ignored);
      boolean sameValues = found == null && first("", a, b, NONE) == null;
      return sameValues ? new FieldDifference("", "the same values", "in other bytes") : found;
    } catch (IOException e) {
      return new FieldDifference("", text(one), text(other));
    }
  }

  private static FieldDifference first(
      String path, JsonNode one, JsonNode other, Predicate<String> ignored) {
    if (ignored.test(PLACES.matcher(path).replaceAll(""))) {
      return null;
    }
    if (one == null || other == null || one.getNodeType() != other.getNodeType()) {
      return new FieldDifference(path, text(one), text(other));
    }
    if (one.isArray()) {
      return firstOfElements(path, one, other, ignored);
    }
    if (one.isObject()) {
      return firstOfFields(path, one, other, ignored);
    }
    return one.equals(other) ? null : new FieldDifference(path, text(one), text(other));
  }

  private static FieldDifference firstOfElements(
      String path, JsonNode one, JsonNode other, Predicate<String> ignored) {
    for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
      FieldDifference found = first(path + "[" + i + "]", one.get(i), other.get(i), ignored);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static FieldDifference firstOfFields(
      String path, JsonNode one, JsonNode other, Predicate<String> ignored) {
    for (String name : names(one, other)) {
      String below = path.isEmpty() ? name : path + "." + name;
      FieldDifference found = first(below, one.get(name), other.get(name), ignored);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static Set<String> names(JsonNode one, JsonNode other) {
    Set<String> names = new LinkedHashSet<>();
    for (JsonNode node : new JsonNode[] {one, other}) {
      Iterator<String> fields = node.fieldNames();
      fields.forEachRemaining(names::add);
    }
    return names;
  }

  private static String text(JsonNode node) {
    return node == null ? null : cut(node.toString());
  }

  private static String text(byte[] record) {
    return record == null ? null : cut(new String(record, StandardCharsets.UTF_8));
  }

  private static String cut(String text) {
    return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "…";
  }
}
