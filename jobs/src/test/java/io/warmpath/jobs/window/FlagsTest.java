package io.warmpath.jobs.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.schemas.stats.StatsFlags;
import org.junit.jupiter.api.Test;

/** What is wrong with a window's figures, and what cannot be said of them. */
class FlagsTest {

  private final Pane pane = new Pane();

  @Test
  void nothingIsSaidOfAShortWindow() {
    usage(1_000, 100_000, 50_000);
    assertNull(Flags.of(new Window(60_000, 60_000), pane));
  }

  @Test
  void nothingIsKnownWhereNothingWasSeen() {
    assertEquals(new StatsFlags(null, null, null), flags());
  }

  @Test
  void aReplicaThatAnswersAndSendsNoCacheEventIsSilent() {
    pane.add(Count.OK, 29);
    assertNull(flags().cacheSilent());
    pane.add(Count.OK, 1);
    assertEquals(true, flags().cacheSilent());
    pane.add(Count.CACHE_BATCHES, 1);
    assertEquals(false, flags().cacheSilent());
  }

  @Test
  void anIndexThatForeseesNoneOfTheHitsIsBlind() {
    pane.add(Count.HIT_REQUESTS, 29);
    pane.add(Count.CACHED_TOKENS, 5_000);
    pane.add(Count.INDEX_UNDER_TOKENS, 5_000);
    assertNull(flags().indexBlind());
    pane.add(Count.HIT_REQUESTS, 1);
    assertEquals(true, flags().indexBlind());
    // A prediction is one also where it was wrong.
    pane.add(Count.INDEX_OVER_TOKENS, 16);
    assertEquals(false, flags().indexBlind());
  }

  @Test
  void oneSourceHasNothingToDisagreeWith() {
    usage(100, 100_000, 50_000);
    assertNull(flags().sourcesDisagree());
  }

  @Test
  void fewRequestsAreNotCompared() {
    usage(29, 29_000, 0);
    prefill(29, 29_000, 29_000);
    assertNull(flags().sourcesDisagree());
  }

  @Test
  void equalSourcesAgreeAlsoWhereEventsWereLost() {
    usage(100, 100_000, 50_000);
    prefill(100, 100_000, 50_000);
    counters(100_000, 50_000);
    assertEquals(false, flags().sourcesDisagree());
    pane.add(Count.CACHE_GAPS, 1);
    assertEquals(false, flags().sourcesDisagree());
  }

  @Test
  void aTenthOfThePromptTokensMayBeCutByTheEdges() {
    usage(100, 100_000, 50_000);
    counters(100_000, 60_000);
    assertEquals(false, flags().sourcesDisagree());
    pane.add(Count.COUNTERS_HIT_TOKENS, 1);
    assertEquals(true, flags().sourcesDisagree());
  }

  @Test
  void hitsOfPromptsThatTheOtherDoesNotCountAreNoDisagreement() {
    usage(100, 100_000, 50_000);
    counters(180_000, 50_000 + 80_000 + 18_000);
    assertEquals(false, flags().sourcesDisagree());
    pane.add(Count.COUNTERS_HIT_TOKENS, 1);
    assertEquals(true, flags().sourcesDisagree());
  }

  @Test
  void anyDifferenceCountsWhereEventsWereLost() {
    usage(100, 100_000, 50_000);
    prefill(99, 99_000, 49_984);
    counters(100_000, 50_000);
    assertEquals(false, flags().sourcesDisagree());
    pane.add(Count.CACHE_GAPS, 1);
    assertEquals(true, flags().sourcesDisagree());
  }

  @Test
  void prefillAndCountersAreComparedWhereUsageIsUnknown() {
    pane.add(Count.REQUESTS, 100);
    pane.add(Count.UNKNOWN_CACHED_REQUESTS, 100);
    prefill(100, 100_000, 50_000);
    counters(100_000, 80_000);
    assertEquals(true, flags().sourcesDisagree());
  }

  private void usage(long requests, long promptTokens, long cachedTokens) {
    pane.add(Count.REQUESTS, requests);
    pane.add(Count.PROMPT_TOKENS, promptTokens);
    pane.add(Count.CACHED_TOKENS, cachedTokens);
  }

  private void prefill(long prompts, long promptTokens, long cachedTokens) {
    pane.add(Count.PREFILLS, prompts);
    pane.add(Count.PREFILL_PROMPT_TOKENS, promptTokens);
    pane.add(Count.PREFILL_CACHED_TOKENS, cachedTokens);
  }

  private void counters(long queriedTokens, long hitTokens) {
    pane.add(Count.COUNTERS, 1);
    pane.add(Count.COUNTERS_QUERIED_TOKENS, queriedTokens);
    pane.add(Count.COUNTERS_HIT_TOKENS, hitTokens);
  }

  private StatsFlags flags() {
    return Flags.of(new Window(600_000, 300_000), pane);
  }
}
