package io.warmpath.lab.replay;

import io.warmpath.lab.client.Answer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts and times of a replay. Times start where a request was due, not where it was sent, so that
 * a slow server cannot hide behind a slow client. Safe for concurrent use.
 */
public final class ReplayResults {

  private static final String NO_REPLICA = "(none)";

  private final long[] ttftMicros;
  private final Map<String, Long> requestsByReplica = new TreeMap<>();
  private final Map<String, Long> errors = new TreeMap<>();
  private int firstTokens;
  private int sent;
  private int ok;
  private int failed;
  private long promptTokens;
  private long cachedTokens;
  private long unknownCached;
  private long outputTokens;
  private long worstDelayMicros;

  ReplayResults(int requests) {
    ttftMicros = new long[requests];
  }

  synchronized void sent(long delayMicros) {
    sent++;
    worstDelayMicros = Math.max(worstDelayMicros, delayMicros);
  }

  synchronized void unsent(String reason) {
    fail(reason);
  }

  synchronized void answered(Answer answer, long dueNanos) {
    if (!answer.ok()) {
      fail(answer.error());
      return;
    }
    ok++;
    ttftMicros[firstTokens++] = Math.max(0, (answer.firstTokenNanos() - dueNanos) / 1_000);
    String replica = answer.replica() == null ? NO_REPLICA : answer.replica();
    requestsByReplica.merge(replica, 1L, Long::sum);
    outputTokens += answer.outputTokens() == null ? 0 : answer.outputTokens();
    if (answer.promptTokens() != null && answer.cachedTokens() != null) {
      promptTokens += answer.promptTokens();
      cachedTokens += answer.cachedTokens();
    } else {
      unknownCached++;
    }
  }

  private void fail(String reason) {
    failed++;
    errors.merge(reason, 1L, Long::sum);
  }

  /** Requests that were sent so far. */
  public synchronized int sent() {
    return sent;
  }

  /** Requests that have ended, well or not. */
  public synchronized int ended() {
    return ok + failed;
  }

  /**
   * All figures.
   *
   * @param seconds how long the replay took
   */
  synchronized ReplayReport report(double seconds) {
    long[] sorted = Arrays.copyOf(ttftMicros, firstTokens);
    Arrays.sort(sorted);
    return new ReplayReport(
        ok + failed,
        ok,
        failed,
        seconds,
        seconds > 0 ? ok / seconds : 0,
        quantile(sorted, 50),
        quantile(sorted, 95),
        quantile(sorted, 99),
        promptTokens,
        cachedTokens,
        promptTokens == 0 ? null : (double) cachedTokens / promptTokens,
        unknownCached,
        outputTokens,
        worstDelayMicros,
        new TreeMap<>(requestsByReplica),
        new TreeMap<>(errors));
  }

  /** The ceil(p·n)-th smallest, or null if there is none. */
  private static Long quantile(long[] sorted, int percent) {
    return sorted.length == 0
        ? null
        : sorted[(int) (((long) sorted.length * percent + 99) / 100) - 1];
  }
}
