package io.warmpath.jobs.pane;

import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;

/**
 * Who reads an engine's counters. Both tell of the same prompts, so that they are counted apart and
 * never added up.
 */
public enum CounterSource {
  /** The engine itself, or what it streams to a bridge. */
  OWN(
      Count.COUNTERS,
      Count.COUNTERS_QUERIED_TOKENS,
      Count.COUNTERS_HIT_TOKENS,
      Count.COUNTERS_INTERVAL_MS),

  /** A scrape of its metrics. */
  SCRAPED(
      Count.SCRAPED_COUNTERS,
      Count.SCRAPED_QUERIED_TOKENS,
      Count.SCRAPED_HIT_TOKENS,
      Count.SCRAPED_INTERVAL_MS);

  private final Count events;
  private final Count queriedTokens;
  private final Count hitTokens;
  private final Count intervalMs;

  CounterSource(Count events, Count queriedTokens, Count hitTokens, Count intervalMs) {
    this.events = events;
    this.queriedTokens = queriedTokens;
    this.hitTokens = hitTokens;
    this.intervalMs = intervalMs;
  }

  /** Who observed a batch's events. */
  public static CounterSource of(CacheEventBatch.Source source) {
    return source == CacheEventBatch.Source.SCRAPE ? SCRAPED : OWN;
  }

  /** Whose counters stand for a pane: the engine's own where it has any. */
  public static CounterSource in(Pane pane) {
    return pane.get(OWN.events) > 0 ? OWN : SCRAPED;
  }

  /** Adds what an event counts. */
  public void add(CacheEvent.Counters counters, Pane pane) {
    pane.add(events, 1);
    pane.add(queriedTokens, counters.queriedTokens());
    pane.add(hitTokens, counters.hitTokens());
    pane.add(intervalMs, counters.intervalMs());
  }

  /** Counts the events. */
  public Count events() {
    return events;
  }

  /** Counts the prompt tokens that were looked up. */
  public Count queriedTokens() {
    return queriedTokens;
  }

  /** Counts the tokens of them that were found. */
  public Count hitTokens() {
    return hitTokens;
  }

  /** Length of an event's interval in a pane, ms; 0 where there was no event. */
  public long meanIntervalMs(Pane pane) {
    long all = pane.get(events);
    return all == 0 ? 0 : pane.get(intervalMs) / all;
  }
}
