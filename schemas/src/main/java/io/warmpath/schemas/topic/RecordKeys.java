package io.warmpath.schemas.topic;

import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;

/** Keys of composed records. {@code |} and {@code %} inside a name are percent-encoded. */
public final class RecordKeys {

  private RecordKeys() {}

  /** {@code model|policy|replica|window size|window end}, both in milliseconds. */
  public static String of(RoutingStats row) {
    return part(row.model())
        + '|'
        + part(row.policy())
        + '|'
        + part(row.replica())
        + '|'
        + row.windowSizeMs()
        + '|'
        + row.windowEndMs();
  }

  /** {@code model|policy|window end}. */
  public static String of(ShadowStats row) {
    return part(row.model()) + '|' + part(row.policy()) + '|' + row.windowEndMs();
  }

  private static String part(String name) {
    return name.replace("%", "%25").replace("|", "%7C");
  }
}
