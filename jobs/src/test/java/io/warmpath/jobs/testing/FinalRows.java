package io.warmpath.jobs.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.TreeMap;
import java.util.TreeSet;

/** What stands in the end under each key, byte by byte. */
public final class FinalRows {

  private FinalRows() {}

  /** Fails with the first key whose last rows differ, byte by byte. */
  public static void assertSame(
      Collection<RoutingStats> expected, Collection<RoutingStats> actual) {
    TreeMap<String, String> wanted = of(expected);
    TreeMap<String, String> found = of(actual);
    TreeSet<String> keys = new TreeSet<>(wanted.keySet());
    keys.addAll(found.keySet());
    for (String key : keys) {
      assertEquals(wanted.get(key), found.get(key), key);
    }
  }

  /** The last row of each key in its wire form. */
  private static TreeMap<String, String> of(Collection<RoutingStats> rows) {
    TreeMap<String, String> last = new TreeMap<>();
    for (RoutingStats row : rows) {
      byte[] bytes = Codecs.ROUTING_STATS.encode(row);
      last.put(RecordKeys.of(row), new String(bytes, StandardCharsets.UTF_8));
    }
    return last;
  }
}
