package io.warmpath.lab.truth;

import io.warmpath.schemas.codec.SixDecimals;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.RoutingFacts;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.stream.LongStream;

/** What some events add up to, straight from the definitions. */
final class Tally {

  private static final Outcome[] OUTCOMES = Outcome.values();
  private static final Arrival[] ARRIVALS = Arrival.values();

  private final long[] outcomes = new long[OUTCOMES.length];
  private final long[] arrivals = new long[ARRIVALS.length];
  private final Durations ttft = new Durations();
  private final Durations ttftHit = new Durations();
  private final Durations ttftMiss = new Durations();
  private final Durations e2e = new Durations();
  private long attempts;
  private long promptTokens;
  private long cachedTokens;
  private long hits;
  private long known;
  private long unknown;
  private long unknownPromptTokens;
  private long avoidable;
  private LostTokens lost = LostTokens.NONE;

  void add(RequestEvent event, Arrival arrival) {
    arrivals[arrival.ordinal()]++;
    if (arrival == Arrival.DROPPED || arrival == Arrival.COPY) {
      return;
    }
    if (event instanceof FirstToken first) {
      ttft.add(first.times().ttftUs());
    } else if (event instanceof Finished finished) {
      add(finished);
    } else {
      throw new IllegalArgumentException("not told what it counts as: " + event);
    }
  }

  private void add(Finished event) {
    outcomes[event.outcome().ordinal()]++;
    if (event.outcome() == Outcome.OK || event.outcome() == Outcome.CLIENT_ABORT) {
      attempts++;
    }
    if (event.outcome() == Outcome.OK) {
      e2e.add(event.e2eUs());
    }
    if (event.cachedTokens() == null) {
      unknown++;
      unknownPromptTokens += event.facts().promptTokens();
    } else {
      addKnown(event, event.facts(), event.cachedTokens());
    }
  }

  private void addKnown(Finished event, RoutingFacts facts, long cached) {
    known++;
    hits += cached > 0 ? 1 : 0;
    promptTokens += facts.promptTokens();
    cachedTokens += cached;
    avoidable += Math.max(0, facts.bestAdmissibleCachedTokens() - cached);
    // Synthetic facts never contradict themselves, so nothing has to be capped.
    lost =
        lost.plus(
            new LostTokens(
                facts.promptTokens() - facts.seenTokens(),
                facts.seenTokens() - facts.bestCachedTokens(),
                facts.bestCachedTokens() - facts.bestAdmissibleCachedTokens(),
                facts.bestAdmissibleCachedTokens() - facts.chosenCachedTokens(),
                Math.max(0, facts.chosenCachedTokens() - cached),
                Math.max(0, cached - facts.chosenCachedTokens())));
    if (event.ttftUs() != null) {
      (cached > 0 ? ttftHit : ttftMiss).add(event.ttftUs());
    }
  }

  void add(Tally other) {
    for (int i = 0; i < outcomes.length; i++) {
      outcomes[i] += other.outcomes[i];
    }
    for (int i = 0; i < arrivals.length; i++) {
      arrivals[i] += other.arrivals[i];
    }
    ttft.add(other.ttft);
    ttftHit.add(other.ttftHit);
    ttftMiss.add(other.ttftMiss);
    e2e.add(other.e2e);
    attempts += other.attempts;
    promptTokens += other.promptTokens;
    cachedTokens += other.cachedTokens;
    hits += other.hits;
    known += other.known;
    unknown += other.unknown;
    unknownPromptTokens += other.unknownPromptTokens;
    avoidable += other.avoidable;
    lost = lost.plus(other.lost);
  }

  /** Notes what a row says otherwise. */
  void compare(RoutingStats row, Differences differences) {
    differences.require("provisional", false, row.provisional());
    long failed = count(Outcome.UPSTREAM_ERROR) + count(Outcome.TIMEOUT);
    long requests = LongStream.of(outcomes).sum();
    differences.require("requests", requests, row.requests());
    differences.require("ok", count(Outcome.OK), row.ok());
    differences.require("failed", failed, row.failed());
    differences.require("aborted", count(Outcome.CLIENT_ABORT), row.aborted());
    differences.require("rejected", count(Outcome.REJECTED), row.rejected());
    differences.require("attempts", attempts, row.attempts());
    differences.require("attempts_failed", 0L, row.attemptsFailed());
    differences.require("not_streamed", 0L, row.notStreamed());
    differences.require("events_dropped", 0L, row.eventsDropped());
    differences.require("late", count(Arrival.LATE), row.late());
    differences.require("dropped", count(Arrival.DROPPED), row.dropped());
    differences.require("skewed", count(Arrival.AHEAD), row.skewed());
    differences.require("duplicates", count(Arrival.COPY), row.duplicates());
    differences.require("prompt_tokens", promptTokens, row.promptTokens());
    differences.require("cached_tokens", cachedTokens, row.cachedTokens());
    differences.require("unknown_cached_requests", unknown, row.unknownCachedRequests());
    differences.require(
        "unknown_cached_prompt_tokens", unknownPromptTokens, row.unknownCachedPromptTokens());
    differences.require(
        "token_hit_rate", SixDecimals.ratio(cachedTokens, promptTokens), row.tokenHitRate());
    differences.require("request_hit_rate", SixDecimals.ratio(hits, known), row.requestHitRate());
    differences.require("lost_tokens", lost, row.lostTokens());
    differences.require("avoidable_tokens", avoidable, row.avoidableTokens());
    ttft.compare("ttft", row.ttft(), differences);
    ttftHit.compare("ttft_hit", row.ttftHit(), differences);
    ttftMiss.compare("ttft_miss", row.ttftMiss(), differences);
    e2e.compare("e2e", row.e2e(), differences);
  }

  private long count(Outcome outcome) {
    return outcomes[outcome.ordinal()];
  }

  private long count(Arrival arrival) {
    return arrivals[arrival.ordinal()];
  }
}
