package io.warmpath.jobs.testing;

import io.warmpath.jobs.testing.Oracle.Event;
import io.warmpath.routing.loss.PromptLoss;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.stats.StatsFlags;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with the figures of a window, from its events and the definitions. */
final class FlagsOracle {

  private FlagsOracle() {}

  /** Those that the engines sent themselves; those that were scraped only where they sent none. */
  static List<CacheEvent.Counters> counters(List<Event> accepted) {
    List<CacheEvent.Counters> own = counters(accepted, false);
    return own.isEmpty() ? counters(accepted, true) : own;
  }

  private static List<CacheEvent.Counters> counters(List<Event> accepted, boolean scraped) {
    return Oracle.events(
        accepted.stream()
            .filter(
                e ->
                    e.value() instanceof CacheEventBatch batch
                        && (batch.source() == CacheEventBatch.Source.SCRAPE) == scraped)
            .toList(),
        CacheEvent.Counters.class);
  }

  /** What is wrong with a window of the accepted events, whose answered ones fell into losses. */
  static StatsFlags flags(List<Event> accepted, List<PromptLoss> losses, long start, long end) {
    List<Finished> ok = ok(accepted);
    boolean silent =
        Oracle.events(accepted, CacheEvent.class).stream()
            .allMatch(CacheEvent.Counters.class::isInstance);
    long predicted =
        Oracle.sum(losses, l -> l.delivered() + l.lost().indexOver() - l.lost().indexUnder());
    return new StatsFlags(
        silent ? enough(ok.size()) : Boolean.FALSE,
        predicted == 0 ? enough(Oracle.count(losses, l -> l.delivered() > 0)) : Boolean.FALSE,
        disagree(accepted, start, end));
  }

  private static List<Finished> ok(List<Event> accepted) {
    return Oracle.values(accepted, Finished.class).stream()
        .filter(f -> f.outcome() == Outcome.OK)
        .toList();
  }

  private static Boolean enough(long requests) {
    return requests < 30 ? null : true;
  }

  private static Boolean disagree(List<Event> accepted, long start, long end) {
    long longestMs = ok(accepted).stream().mapToLong(f -> f.e2eUs() / 1_000).max().orElse(0);
    List<CacheEvent.Counters> counters = counters(accepted);
    long intervalMs =
        counters.isEmpty()
            ? 0
            : Oracle.sum(counters, CacheEvent.Counters::intervalMs) / counters.size();
    long edgeMs = (longestMs + intervalMs + 5_000) / 5_000 * 5_000 + 5_000;
    if (2 * edgeMs >= end - start) {
      return null;
    }
    List<Event> edges =
        accepted.stream()
            .filter(e -> e.timeMs() < start + edgeMs || e.timeMs() >= end - edgeMs)
            .toList();
    // Nothing is numbered here so that it could be lost.
    List<long[]> sources = new ArrayList<>();
    List<PromptLoss> usage = usage(accepted);
    if (usage.size() >= 30) {
      sources.add(
          new long[] {
            Oracle.sum(usage, PromptLoss::prompt),
            Oracle.sum(usage, PromptLoss::delivered),
            Oracle.sum(usage(edges), PromptLoss::delivered)
          });
    }
    List<CacheEvent.Prefill> prefills = Oracle.events(accepted, CacheEvent.Prefill.class);
    if (prefills.size() >= 30) {
      sources.add(
          new long[] {
            Oracle.sum(prefills, CacheEvent.Prefill::promptTokens),
            Oracle.sum(prefills, CacheEvent.Prefill::cachedTokens),
            Oracle.sum(
                Oracle.events(edges, CacheEvent.Prefill.class), CacheEvent.Prefill::cachedTokens)
          });
    }
    if (Oracle.sum(counters, CacheEvent.Counters::queriedTokens) > 0) {
      boolean scraped = counters(accepted, false).isEmpty();
      sources.add(
          new long[] {
            Oracle.sum(counters, CacheEvent.Counters::queriedTokens),
            Oracle.sum(counters, CacheEvent.Counters::hitTokens),
            Oracle.sum(counters(edges, scraped), CacheEvent.Counters::hitTokens)
          });
    }
    return sources.size() < 2
        ? null
        : sources.stream()
            .anyMatch(a -> sources.stream().anyMatch(b -> a[1] - b[1] > explained(a, b)));
  }

  private static long explained(long[] more, long[] fewer) {
    return Math.max(0, more[0] - fewer[0]) + Math.max(more[2], more[0] / 10);
  }

  private static List<PromptLoss> usage(List<Event> accepted) {
    return Oracle.values(accepted, Finished.class).stream()
        .filter(f -> f.cachedTokens() != null)
        .map(Oracle::loss)
        .toList();
  }
}
