package io.warmpath.jobs.window;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.schemas.stats.StatsFlags;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges the figures of a window. Only long windows are judged: sources tell of one request at
 * different times, and a short window's edges cut too many.
 */
final class Flags {

  /** Windows of this length and more are judged. */
  static final long MIN_WINDOW_MS = 300_000;

  /** Fewer requests than this prove nothing. */
  static final long MIN_REQUESTS = 30;

  /** One in so many prompt tokens may be those of requests that the window's edges cut. */
  private static final long CUT_SHARE = 10;

  /** What one source tells of the window's prompts. */
  private record Hits(long promptTokens, long hitTokens) {

    /** Whether two sources differ by more than what one of them may not have counted. */
    boolean contradicts(Hits other, boolean eventsLost) {
      long difference = Math.abs(hitTokens - other.hitTokens);
      // Where events are known to be missing, no difference is put down to the window's edges.
      long explained =
          eventsLost
              ? 0
              : Math.abs(promptTokens - other.promptTokens)
                  + Math.max(promptTokens, other.promptTokens) / CUT_SHARE;
      return difference > explained;
    }
  }

  private Flags() {}

  /** The flags of a window; null where it is not judged. */
  static StatsFlags of(Window window, Pane pane) {
    return window.sizeMs() < MIN_WINDOW_MS
        ? null
        : new StatsFlags(cacheSilent(pane), indexBlind(pane), sourcesDisagree(pane));
  }

  private static Boolean cacheSilent(Pane pane) {
    return unlessSeen(pane.get(Count.CACHE_BATCHES), pane.get(Count.OK));
  }

  private static Boolean indexBlind(Pane pane) {
    long predicted =
        pane.get(Count.CACHED_TOKENS)
            + pane.get(Count.INDEX_OVER_TOKENS)
            - pane.get(Count.INDEX_UNDER_TOKENS);
    return unlessSeen(predicted, pane.get(Count.HIT_REQUESTS));
  }

  /** False where anything was seen, true where enough requests should have shown it. */
  private static Boolean unlessSeen(long seen, long requests) {
    if (seen > 0) {
      return false;
    }
    return requests >= MIN_REQUESTS ? true : null;
  }

  private static Boolean sourcesDisagree(Pane pane) {
    long requests = pane.get(Count.REQUESTS) - pane.get(Count.UNKNOWN_CACHED_REQUESTS);
    List<Hits> sources = sources(pane);
    if (sources.size() < 2 || Math.max(requests, pane.get(Count.PREFILLS)) < MIN_REQUESTS) {
      return null;
    }
    boolean eventsLost = pane.get(Count.CACHE_GAPS) > 0;
    for (Hits one : sources) {
      for (Hits other : sources) {
        if (one.contradicts(other, eventsLost)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<Hits> sources(Pane pane) {
    List<Hits> known = new ArrayList<>();
    if (pane.get(Count.PROMPT_TOKENS) > 0) {
      known.add(new Hits(pane.get(Count.PROMPT_TOKENS), pane.get(Count.CACHED_TOKENS)));
    }
    if (pane.get(Count.PREFILLS) > 0) {
      known.add(
          new Hits(pane.get(Count.PREFILL_PROMPT_TOKENS), pane.get(Count.PREFILL_CACHED_TOKENS)));
    }
    if (pane.get(Count.COUNTERS) > 0) {
      known.add(
          new Hits(pane.get(Count.COUNTERS_QUERIED_TOKENS), pane.get(Count.COUNTERS_HIT_TOKENS)));
    }
    return known;
  }
}
