package io.warmpath.routing.index;

/**
 * Sizes of a {@link PrefixIndex}, all in blocks.
 *
 * @param historyBlocks own history kept for each replica that sends no cache events
 * @param reportedBlocks blocks kept for each replica that does; more than its cache can hold
 * @param seenBlocks history of what any replica ever held
 */
public record IndexBounds(int historyBlocks, int reportedBlocks, int seenBlocks) {

  /** At most 40 MB for each replica and 80 MB of history. */
  public static final IndexBounds DEFAULTS = new IndexBounds(1 << 16, 1 << 20, 1 << 20);

  public IndexBounds {
    positive(historyBlocks, "history_blocks");
    positive(reportedBlocks, "reported_blocks");
    positive(seenBlocks, "seen_blocks");
  }

  private static void positive(int value, String option) {
    if (value < 1) {
      throw new IllegalArgumentException(option + " must be at least 1: " + value);
    }
  }
}
