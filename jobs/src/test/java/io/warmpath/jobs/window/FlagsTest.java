package io.warmpath.jobs.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.pane.Timing;
import io.warmpath.schemas.stats.StatsFlags;
import org.junit.jupiter.api.Test;

/** What is wrong with a window's figures, and what cannot be said of them. */
class FlagsTest {

  private static final Window WINDOW = new Window(600_000, 300_000);

  private final Pane pane = new Pane();
  private final Pane first = new Pane();
  private final Pane last = new Pane();

  @Test
  void onlyLongWindowsOverAllPoliciesAreJudged() {
    PaneKey replica = PaneKey.of("m", null, "r");
    assertTrue(Flags.judges(replica, WINDOW));
    assertFalse(Flags.judges(replica, new Window(60_000, 60_000)));
    assertFalse(Flags.judges(PaneKey.of("m", "adaptive", "r"), WINDOW));
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
    pane.add(Count.STORED_BLOCKS, 1);
    assertEquals(false, flags().cacheSilent());
  }

  @Test
  void countersAloneAreNoCacheEvents() {
    pane.add(Count.OK, 30);
    pane.add(Count.CACHE_BATCHES, 300);
    counters(100_000, 50_000);
    assertEquals(true, flags().cacheSilent());
    prefill(1, 100, 0);
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
  void aSourceThatSawNoPromptSaysNothing() {
    usage(100, 100_000, 0);
    counters(0, 0);
    assertNull(flags().sourcesDisagree());
    prefill(1, 0, 0);
    assertNull(flags().sourcesDisagree());
  }

  @Test
  void eachSourceNeedsEnoughRequestsToBeCompared() {
    usage(100, 100_000, 0);
    prefill(29, 100_000, 50_000);
    assertNull(flags().sourcesDisagree());
    prefill(1, 1, 0);
    assertEquals(true, flags().sourcesDisagree());
  }

  @Test
  void countersDoNotMakeUpForFewRequests() {
    usage(29, 29_000, 0);
    counters(29_000, 29_000);
    assertNull(flags().sourcesDisagree());
    usage(1, 1_000, 0);
    assertEquals(true, flags().sourcesDisagree());
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

  /** One long prompt came before the window and ended in it, another began in it. */
  @Test
  void asManyHitsMayBeCutAsAreNearTheEdges() {
    usage(40, 100_000, 20_000);
    prefill(40, 100_000, 50_000);
    assertEquals(true, flags().sourcesDisagree());
    first.add(Count.PREFILL_CACHED_TOKENS, 1_000);
    last.add(Count.PREFILL_CACHED_TOKENS, 28_999);
    assertEquals(true, flags().sourcesDisagree());
    last.add(Count.PREFILL_CACHED_TOKENS, 1);
    assertEquals(false, flags().sourcesDisagree());
  }

  @Test
  void anEdgeIsAsWideAsTheLongestAnswerAndTheIntervalOfTheCounters() {
    assertEquals(10_000, Flags.edgeMs(WINDOW, pane));
    pane.add(Timing.E2E, 4_999_000);
    assertEquals(10_000, Flags.edgeMs(WINDOW, pane));
    pane.add(Timing.E2E, 5_000_000);
    assertEquals(15_000, Flags.edgeMs(WINDOW, pane));
    counters(1, 1);
    pane.add(Count.COUNTERS_INTERVAL_MS, 5_000);
    assertEquals(20_000, Flags.edgeMs(WINDOW, pane));
  }

  @Test
  void aWindowThatIsAllEdgeIsNotJudged() {
    usage(100, 100_000, 0);
    prefill(100, 100_000, 100_000);
    pane.add(Timing.E2E, 139_999_000);
    assertEquals(true, flags().sourcesDisagree());
    pane.add(Timing.E2E, 140_000_000);
    assertNull(flags().sourcesDisagree());
  }

  @Test
  void promptsThatOnlyTheOtherCountsExplainNoFurtherHits() {
    usage(100, 100_000, 50_000);
    counters(300_000, 20_000);
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
  void whatTheEdgesExplainIsNoDisagreementAlsoWhereEventsWereLost() {
    usage(100, 100_000, 50_000);
    prefill(99, 99_000, 49_984);
    pane.add(Count.CACHE_GAPS, 1);
    first.add(Count.CACHED_TOKENS, 15);
    assertEquals(true, flags().sourcesDisagree());
    first.add(Count.CACHED_TOKENS, 1);
    assertEquals(false, flags().sourcesDisagree());
  }

  /** Requests that go past the balancer, or of which the engine did not say what was cached. */
  @Test
  void lostBatchesAddNoHitsToWhatIsLeft() {
    usage(100, 100_000, 50_000);
    prefill(110, 110_000, 60_000);
    pane.add(Count.CACHE_GAPS, 1);
    assertEquals(false, flags().sourcesDisagree());
  }

  /** The rows of replicas tell what a gap cost; there each source would tell of all prompts. */
  @Test
  void whereOnlySomeReplicasHaveASourceAGapOfTheirsIsNoDisagreementOfTheFleet() {
    usage(100, 100_000, 50_000);
    prefill(40, 40_000, 20_000);
    pane.add(Count.CACHE_GAPS, 1);
    assertEquals(true, flags("r").sourcesDisagree());
    assertEquals(false, flags(null).sourcesDisagree());
    pane.add(Count.CACHED_TOKENS, 40_001);
    assertEquals(true, flags(null).sourcesDisagree(), "more than prompts without the source");
  }

  @Test
  void countersOfTheEngineItselfStandBeforeScrapedOnes() {
    usage(100, 100_000, 50_000);
    pane.add(Count.SCRAPED_COUNTERS, 1);
    pane.add(Count.SCRAPED_QUERIED_TOKENS, 100_000);
    assertEquals(true, flags().sourcesDisagree());
    counters(100_000, 50_000);
    assertEquals(false, flags().sourcesDisagree());
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
    return flags("r");
  }

  /** Null stands for all replicas. */
  private StatsFlags flags(String replica) {
    return Flags.of(PaneKey.of("m", null, replica), WINDOW, pane, new Edges(first, last));
  }
}
