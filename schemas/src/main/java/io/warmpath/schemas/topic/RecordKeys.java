package io.warmpath.schemas.topic;

import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys of composed records. {@code |} and {@code %} inside a name are percent-encoded. */
public final class RecordKeys {

  private static final Pattern PERCENT = Pattern.compile("%.{0,2}", Pattern.DOTALL);

  private RecordKeys() {}

  /** {@code model|policy|replica|window size|window end}, both in milliseconds. */
  public static String of(RoutingStats row) {
    return ofStats(row.model(), row.policy(), row.replica(), row.windowSizeMs(), row.windowEndMs());
  }

  /** The same of a row that is known by its parts only. */
  public static String ofStats(
      String model, String policy, String replica, long windowSizeMs, long windowEndMs) {
    return part(model)
        + '|'
        + part(policy)
        + '|'
        + part(replica)
        + '|'
        + windowSizeMs
        + '|'
        + windowEndMs;
  }

  /** {@code model|policy|window end}. */
  public static String of(ShadowStats row) {
    return part(row.model()) + '|' + part(row.policy()) + '|' + row.windowEndMs();
  }

  /**
   * The decoded parts of a composed key: names as they were, numbers as digits.
   *
   * @throws IllegalArgumentException if a percent sign begins none of the two escapes
   */
  public static List<String> parts(String key) {
    return Arrays.stream(key.split("\\|", -1)).map(RecordKeys::decoded).toList();
  }

  private static String part(String name) {
    return name.replace("%", "%25").replace("|", "%7C");
  }

  private static String decoded(String part) {
    return PERCENT
        .matcher(part)
        .replaceAll(escape -> Matcher.quoteReplacement(character(escape.group(), part)));
  }

  private static String character(String escape, String part) {
    return switch (escape) {
      case "%25" -> "%";
      case "%7C" -> "|";
      default -> throw new IllegalArgumentException("key part '" + part + "' has a bad escape");
    };
  }
}
