package io.warmpath.jobs.window;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.CounterSource;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.pane.Timing;
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

  /** One in so many prompt tokens may always be those of requests that the window's edges cut. */
  private static final long CUT_SHARE = 10;

  /** How far the clocks of two machines, and a batch behind its events, may be off. */
  private static final long CLOCKS_MS = 5_000;

  /** Edges are whole stretches of this, which are added up for windows anyway. */
  private static final long EDGE_STEP_MS = 5_000;

  /**
   * What one source tells of the window's prompts.
   *
   * @param promptTokens tokens of all of them
   * @param hitTokens tokens that were found
   * @param edgeHitTokens those of them told of near an edge of the window, where the other sources
   *     may tell of them outside
   * @param incomplete whether this source would tell of all prompts, had not some of its events
   *     been lost
   */
  private record Hits(long promptTokens, long hitTokens, long edgeHitTokens, boolean incomplete) {

    /** Whether it tells of more hits than the other by more than that one need not have seen. */
    boolean contradicts(Hits other) {
      long beyond = hitTokens - other.hitTokens;
      if (other.incomplete) {
        // What it counts less of prompts may be what was lost, and explains nothing.
        return beyond > edgeHitTokens;
      }
      long notCounted = Math.max(0, promptTokens - other.promptTokens);
      return beyond > notCounted + Math.max(edgeHitTokens, promptTokens / CUT_SHARE);
    }
  }

  private Flags() {}

  /** Whether a window of a key is judged. */
  static boolean judges(PaneKey key, Window window) {
    return key.isOverPolicies() && window.sizeMs() >= MIN_WINDOW_MS;
  }

  /**
   * How far from an edge of the window a request may be told of that another source tells of beyond
   * it: as long as the longest answer and an interval of the counters, ms. At most half the window.
   */
  static long edgeMs(Window window, Pane pane) {
    long longestMs = pane.get(Timing.E2E) == null ? 0 : pane.get(Timing.E2E).maxMicros() / 1_000;
    long intervalMs = CounterSource.in(pane).meanIntervalMs(pane);
    long steps = (longestMs + intervalMs + CLOCKS_MS) / EDGE_STEP_MS + 1;
    return Math.min(window.sizeMs() / 2, steps * EDGE_STEP_MS);
  }

  /**
   * The flags of a window.
   *
   * @param edges what of it lies within {@link #edgeMs} of its ends
   */
  static StatsFlags of(PaneKey key, Window window, Pane pane, Edges edges) {
    boolean allEdge = 2 * edgeMs(window, pane) >= window.sizeMs();
    return new StatsFlags(
        cacheSilent(pane), indexBlind(pane), allEdge ? null : sourcesDisagree(key, pane, edges));
  }

  /** Counters do not show that cache events come: an engine may have them alone. */
  private static Boolean cacheSilent(Pane pane) {
    long seen =
        pane.get(Count.STORED_BLOCKS)
            + pane.get(Count.REMOVED_BLOCKS)
            + pane.get(Count.CLEARS)
            + pane.get(Count.PREFILLS);
    return unlessSeen(seen, pane.get(Count.OK));
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

  private static Boolean sourcesDisagree(PaneKey key, Pane pane, Edges edges) {
    List<Hits> sources = sources(key, pane, edges);
    if (sources.size() < 2) {
      return null;
    }
    for (Hits one : sources) {
      for (Hits other : sources) {
        if (one.contradicts(other)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Those that saw enough requests. Counters do not say how many, only of how many tokens. */
  private static List<Hits> sources(PaneKey key, Pane pane, Edges edges) {
    long requests = pane.get(Count.REQUESTS) - pane.get(Count.UNKNOWN_CACHED_REQUESTS);
    // Of a fleet some replicas may have a source that others lack, gap or not.
    boolean batchesLost = !key.isTotal() && pane.get(Count.CACHE_GAPS) > 0;
    List<Hits> known = new ArrayList<>();
    if (requests >= MIN_REQUESTS && pane.get(Count.PROMPT_TOKENS) > 0) {
      known.add(hits(Count.PROMPT_TOKENS, Count.CACHED_TOKENS, pane, edges, false));
    }
    if (pane.get(Count.PREFILLS) >= MIN_REQUESTS && pane.get(Count.PREFILL_PROMPT_TOKENS) > 0) {
      known.add(
          hits(Count.PREFILL_PROMPT_TOKENS, Count.PREFILL_CACHED_TOKENS, pane, edges, batchesLost));
    }
    CounterSource counters = CounterSource.in(pane);
    if (pane.get(counters.queriedTokens()) > 0) {
      known.add(hits(counters.queriedTokens(), counters.hitTokens(), pane, edges, batchesLost));
    }
    return known;
  }

  private static Hits hits(
      Count promptTokens, Count hitTokens, Pane pane, Edges edges, boolean incomplete) {
    return new Hits(pane.get(promptTokens), pane.get(hitTokens), edges.get(hitTokens), incomplete);
  }
}
