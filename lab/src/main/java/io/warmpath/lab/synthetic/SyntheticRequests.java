package io.warmpath.lab.synthetic;

import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.FirstTokenTimes;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RoutingFacts;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * An endless row of requests, the same on each call: request {@code i} is a function of the seed
 * and {@code i} alone, so that whoever knows the numbers knows the truth.
 *
 * <p>Durations take few distinct values ({@link #DURATIONS_US}), so that exact quantiles of many
 * can be had by counting.
 */
public final class SyntheticRequests {

  /** All durations that events carry, rising: 5 ms to about 2 min, 4 % apart. */
  public static final List<Long> DURATIONS_US =
      LongStream.range(0, 256).map(i -> Math.round(5_000 * Math.pow(1.04, i))).boxed().toList();

  private static final long START_MS = 1_796_082_600_000L;
  private static final double MEDIAN_TTFT = 90;
  private static final double MEDIAN_E2E = 150;
  private static final double SPREAD = 22;
  private static final int MAX_PROMPT_TOKENS = 16_000;
  private static final int BLOCK_TOKENS = 16;
  private static final int SESSIONS = 50_000;

  private final SyntheticFleet fleet;
  private final long seed;

  public SyntheticRequests(SyntheticFleet fleet, long seed) {
    this.fleet = fleet;
    this.seed = seed;
  }

  /** Everything about one request but when its events happened. */
  private final class Request {

    private final long number;
    private final SplittableRandom random;
    private final String model;
    private final String policy;
    private final String replica;
    private final Outcome outcome;
    private final long promptTokens;
    private final RoutingFacts facts;
    private final FirstTokenTimes times;

    Request(long number) {
      this.number = number;
      random = new SplittableRandom(seed ^ number * 0x9E3779B97F4A7C15L);
      model = pick(fleet.models());
      policy = pick(fleet.policies());
      outcome = outcome(random.nextInt(1_000));
      replica = outcome == Outcome.REJECTED ? null : pick(fleet.replicas());
      promptTokens = 1 + random.nextInt(MAX_PROMPT_TOKENS);
      facts = facts();
      long ttftUs = duration(MEDIAN_TTFT);
      times = new FirstTokenTimes(ttftUs, ttftUs - 600, ttftUs - 100, ttftUs);
    }

    private <T> T pick(List<T> of) {
      return of.get(random.nextInt(of.size()));
    }

    private long duration(double median) {
      // The sum of four is near enough to a normal distribution, whose tails this is not about.
      double spread =
          random.nextDouble() + random.nextDouble() + random.nextDouble() + random.nextDouble() - 2;
      int at = (int) Math.round(median + SPREAD * 2 * spread);
      return DURATIONS_US.get(Math.max(0, Math.min(DURATIONS_US.size() - 1, at)));
    }

    private RoutingFacts facts() {
      long seen = blocks(random.nextLong(promptTokens + 1));
      long best = blocks(random.nextLong(seen + 1));
      long admissible = blocks(random.nextLong(best + 1));
      long chosen = blocks(random.nextLong(admissible + 1));
      long backlogTokens = random.nextInt(20_000);
      int inFlight = random.nextInt(32);
      long decisionUs = 10 + random.nextInt(80);
      return new RoutingFacts(
          promptTokens, true, chosen, best, admissible, seen, backlogTokens, inFlight, decisionUs);
    }

    private RequestContext context(long timeMs) {
      return new RequestContext(
          timeMs,
          Long.toHexString(seed) + "-" + Long.toHexString(number),
          null,
          "balancer-0",
          START_MS,
          0,
          model,
          "team-" + number % 8,
          "conversation-" + number % SESSIONS,
          policy,
          replica,
          0,
          START_MS,
          true);
    }

    /** What the engine took from its cache: mostly as predicted, sometimes it does not say. */
    private Long cachedTokens() {
      int chance = random.nextInt(100);
      if (outcome == Outcome.REJECTED || chance < 3) {
        return null;
      }
      return chance < 30 ? blocks(random.nextLong(promptTokens)) : facts.chosenCachedTokens();
    }
  }

  private static long blocks(long tokens) {
    return tokens / BLOCK_TOKENS * BLOCK_TOKENS;
  }

  private static Outcome outcome(int permille) {
    if (permille < 970) {
      return Outcome.OK;
    }
    if (permille < 980) {
      return Outcome.UPSTREAM_ERROR;
    }
    return permille < 990 ? Outcome.CLIENT_ABORT : Outcome.REJECTED;
  }

  /** Whether request {@code number} has a first token at all. */
  public boolean hasFirstToken(long number) {
    return new Request(number).outcome != Outcome.REJECTED;
  }

  /** The first token of a request that has one. */
  public FirstToken firstToken(long number, long timeMs) {
    Request request = new Request(number);
    return new FirstToken(request.context(timeMs), request.facts, request.times);
  }

  /** The end of a request. */
  public Finished finished(long number, long timeMs) {
    Request request = new Request(number);
    boolean rejected = request.outcome == Outcome.REJECTED;
    return Finished.of(
        request.context(timeMs),
        request.facts,
        rejected ? null : request.times,
        request.outcome,
        rejected ? 429 : 200,
        request.cachedTokens(),
        rejected ? 0 : request.random.nextInt(1_000),
        request.duration(MEDIAN_E2E),
        0);
  }
}
