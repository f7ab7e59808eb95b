package io.warmpath.lab.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a comparison has found so far. */
final class Findings {

  /** Beyond this, differences are only counted. */
  static final int MAX_LISTED = 1_000;

  /**
   * Records that were compared.
   *
   * @param compared all of them
   * @param different of them not equal
   */
  public record Tally(long compared, long different) {

    private Tally plus(boolean equal) {
      return new Tally(compared + 1, different + (equal ? 0 : 1));
    }
  }

  private record Place(Reason reason, long sizeMs, long endMs) {}

  private static final Comparator<Place> ORDER =
      Comparator.comparing(Place::reason)
          .thenComparingLong(Place::sizeMs)
          .thenComparingLong(Place::endMs);

  private final Difference.Kind kind;
  private final List<Difference> differences = new ArrayList<>();
  private final Map<Place, Long> undetermined = new TreeMap<>(ORDER);
  private Tally withLive = new Tally(0, 0);
  private Tally betweenReplays = new Tally(0, 0);

  Findings(Difference.Kind kind) {
    this.kind = kind;
  }

  /**
   * Compares what was published with what a replay gives.
   *
   * @return whether they are equal
   */
  boolean compareWithLive(
      String key, long startMs, long endMs, byte[] live, byte[] replayed, String replay) {
    FieldDifference found = FieldDifference.between(live, replayed);
    withLive = withLive.plus(found == null);
    note(key, startMs, endMs, "published", replay, found);
    return found == null;
  }

  /** Compares two replays. */
  void compareReplays(
      String key, long startMs, long endMs, byte[] one, String first, byte[] other, String second) {
    FieldDifference found = FieldDifference.between(one, other);
    betweenReplays = betweenReplays.plus(found == null);
    note(key, startMs, endMs, first, second, found);
  }

  /** Notes that a record was published again and was another then. */
  void publishedTwice(String key, long startMs, long endMs) {
    withLive = withLive.plus(false);
    FieldDifference whole = new FieldDifference("", "one copy", "another copy");
    note(key, startMs, endMs, "published", "published again", whole);
  }

  private void note(
      String key, long startMs, long endMs, String one, String other, FieldDifference found) {
    if (found != null && differences.size() < MAX_LISTED) {
      differences.add(
          new Difference(
              kind, key, startMs, endMs, one, other, found.field(), found.one(), found.other()));
    }
  }

  /** Notes a record that nothing sure is known of. */
  void undetermined(Reason reason, long sizeMs, long endMs) {
    undetermined.merge(new Place(reason, sizeMs, endMs), 1L, Long::sum);
  }

  Tally withLive() {
    return withLive;
  }

  Tally betweenReplays() {
    return betweenReplays;
  }

  List<Difference> differences() {
    return List.copyOf(differences);
  }

  List<Undetermined> undetermined() {
    return undetermined.entrySet().stream()
        .map(
            entry ->
                new Undetermined(
                    kind,
                    entry.getKey().reason,
                    entry.getKey().sizeMs,
                    entry.getKey().endMs,
                    entry.getValue()))
        .toList();
  }
}
