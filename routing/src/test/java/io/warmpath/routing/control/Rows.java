package io.warmpath.routing.control;

import io.warmpath.schemas.stats.CacheStats;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.FitStats;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One window for the law, with the few numbers that it reads. */
final class Rows {

  private final long windowEndMs;
  private final Map<String, RoutingStats> replicas = new TreeMap<>();
  private long requests = 240;
  private long rejected;
  private long dropped;
  private long unknown;
  private long promptTokens = 240_000;

  private Rows(long windowEndMs) {
    this.windowEndMs = windowEndMs;
  }

  static Rows ending(long windowEndMs) {
    return new Rows(windowEndMs);
  }

  /** A replica of 30 ms and so many µs a token, from 60 samples. */
  Rows replica(String name, double usPerToken) {
    return replica(name, 30_000 * usPerToken / 100, usPerToken, 60);
  }

  Rows replica(String name, double interceptUs, double usPerToken, long samples) {
    return replica(name, new FitStats(interceptUs, usPerToken, samples, FitStats.Source.TTFT));
  }

  Rows replica(String name, FitStats fit) {
    return replica(name, fit, 60, 0, 0, 0);
  }

  Rows replica(String name, FitStats fit, long attempts, long failed, long restarts, long gaps) {
    CacheStats cache = new CacheStats(0, 0, 0, gaps, 0, restarts);
    replicas.put(name, row(name, attempts, failed, 0, 0, 0, cache, fit));
    return this;
  }

  Rows rejected(long count) {
    rejected = count;
    return this;
  }

  /** Answered without a word on cached tokens, or rejected: the rest makes the prompt tokens. */
  Rows unknown(long count) {
    unknown = count;
    return this;
  }

  Rows eventsDropped(long count) {
    dropped = count;
    return this;
  }

  Rows meanTokens(long tokens) {
    promptTokens = tokens * requests;
    return this;
  }

  WindowInput build() {
    RoutingStats total = row(RoutingStats.ALL, 0, 0, requests, rejected, dropped, null, null);
    List<RoutingStats> rows = new ArrayList<>(replicas.values());
    rows.add(total);
    return WindowInput.of(total, rows);
  }

  private RoutingStats row(
      String replica,
      long attempts,
      long failed,
      long finished,
      long refused,
      long eventsDropped,
      CacheStats cache,
      FitStats fit) {
    return new RoutingStats(
        windowEndMs - 60_000,
        windowEndMs,
        "m",
        RoutingStats.ALL,
        replica,
        false,
        finished,
        finished,
        0,
        0,
        refused,
        attempts,
        failed,
        0,
        eventsDropped,
        0,
        0,
        0,
        0,
        0,
        finished == 0 ? 0 : promptTokens,
        0,
        finished == 0 ? 0 : unknown,
        0,
        null,
        null,
        Distribution.EMPTY,
        Distribution.EMPTY,
        Distribution.EMPTY,
        Distribution.EMPTY,
        LostTokens.NONE,
        0,
        cache,
        null,
        null,
        null,
        fit,
        null);
  }
}
