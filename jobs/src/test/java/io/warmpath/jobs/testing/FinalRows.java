package io.warmpath.jobs.testing;

import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.TreeMap;

/** What stands in the end under each key, byte by byte. */
public final class FinalRows {

  private FinalRows() {}

  /** The last row of each key in its wire form, a line each, sorted by key. */
  public static String of(Collection<RoutingStats> rows) {
    TreeMap<String, String> last = new TreeMap<>();
    for (RoutingStats row : rows) {
      byte[] bytes = Codecs.ROUTING_STATS.encode(row);
      last.put(RecordKeys.of(row), new String(bytes, StandardCharsets.UTF_8));
    }
    return String.join("\n", last.values());
  }
}
