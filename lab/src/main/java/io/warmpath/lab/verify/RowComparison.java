package io.warmpath.lab.verify;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Compares the final row of each key and window. */
final class RowComparison {

  private final FinalRecords rows;
  private final List<String> sources;
  private final Set<String> provisionalKeys;
  private final Edges edges;
  private final Findings findings = new Findings(Difference.Kind.ROW);

  /**
   * @param rows what was published as source 0, and each replay's as one further
   * @param sources names of the sources
   * @param provisionalKeys keys that a provisional row was published of
   * @param edges where the log is enough
   */
  RowComparison(FinalRecords rows, List<String> sources, Set<String> provisionalKeys, Edges edges) {
    this.rows = rows;
    this.sources = sources;
    this.provisionalKeys = provisionalKeys;
    this.edges = edges;
  }

  /** Compares all. */
  Findings run() throws IOException {
    TreeMap<RowKey, String> keys = new TreeMap<>();
    rows.keys().forEach(key -> keys.put(RowKey.parse(key), key));
    for (Map.Entry<RowKey, String> entry : keys.entrySet()) {
      compareReplays(entry.getKey(), entry.getValue());
      compareWithLive(entry.getKey(), entry.getValue());
    }
    return findings;
  }

  /** Replays read the same, so they must agree on every row, whatever the log lacks. */
  private void compareReplays(RowKey row, String key) throws IOException {
    byte[] first = rows.value(1, key);
    for (int other = 2; other < sources.size(); other++) {
      byte[] second = rows.value(other, key);
      if (first != null || second != null) {
        findings.compareReplays(
            key, row.startMs(), row.endMs(), first, sources.get(1), second, sources.get(other));
      }
    }
  }

  private void compareWithLive(RowKey row, String key) throws IOException {
    boolean replayed = rows.has(1, key);
    Optional<Reason> reason = edges.undetermined(row);
    if (reason.isPresent()) {
      if (replayed || edges.overlaps(row)) {
        findings.undetermined(reason.get(), row.sizeMs(), row.endMs());
      }
    } else if (!rows.has(0, key) && provisionalKeys.contains(key)) {
      findings.undetermined(Reason.NO_FINAL_RECORD, row.sizeMs(), row.endMs());
    } else {
      findings.compareWithLive(
          key, row.startMs(), row.endMs(), rows.value(0, key), rows.value(1, key), sources.get(1));
    }
  }
}
