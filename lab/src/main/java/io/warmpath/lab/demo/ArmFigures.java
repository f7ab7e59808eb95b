package io.warmpath.lab.demo;

import io.warmpath.schemas.stats.LostTokens;
import java.util.List;

/**
 * What one policy gave. Durations and rates are in model time.
 *
 * @param policy the policy
 * @param requests answered requests
 * @param rps requests a second, from the first request's start to the last one's end
 * @param ttft time to first token, merged from the windows of {@code llm.routing-stats}
 * @param cold first turns, whose prompt no cache can hold
 * @param warm all later turns
 * @param meanTtftUsByTurn mean time to first token of turns 1, 2 and so on
 * @param endToEnd request received to last token
 * @param tokenHitRate share of the prompt tokens that came from a cache
 * @param promptTokens prompt tokens
 * @param deliveredTokens of them from a cache
 * @param lostTokens where the others went
 * @param avoidableTokens what the best admissible replica held and the request did not get
 * @param wakeUpDelayP99Us how late threads woke up while it ran: above a few milliseconds the
 *     machine was busy with other things, and the times above hold them
 * @param toRoundRobin ratios to round-robin; null for round-robin itself
 */
public record ArmFigures(
    String policy,
    long requests,
    double rps,
    Ttft ttft,
    Group cold,
    Group warm,
    List<Double> meanTtftUsByTurn,
    Spread endToEnd,
    Double tokenHitRate,
    long promptTokens,
    long deliveredTokens,
    LostTokens lostTokens,
    long avoidableTokens,
    double wakeUpDelayP99Us,
    Ratios toRoundRobin) {

  /**
   * A distribution as the statistics give it, within 1 %.
   *
   * @param count values
   * @param meanUs exact mean
   * @param p50Us median
   * @param p95Us 95th percentile
   * @param p95LowUs lower end of its 95 % interval; null where there is none
   * @param p95HighUs upper end; null where there is none
   * @param p99Us 99th percentile
   */
  public record Ttft(
      long count,
      double meanUs,
      long p50Us,
      long p95Us,
      Long p95LowUs,
      Long p95HighUs,
      long p99Us) {}

  /** Requests and exact mean time to first token of a part of them. */
  public record Group(long requests, double meanTtftUs) {}

  /** Exact percentiles. */
  public record Spread(double meanUs, long p50Us, long p95Us) {}

  /**
   * This policy divided by round-robin for rates, round-robin divided by this policy for times:
   * above 1 is better than round-robin.
   *
   * @param rps requests a second
   * @param ttftP50 median time to first token
   * @param ttftP95 its 95th percentile; published is 2.74
   * @param ttftP99 its 99th percentile
   * @param warmMeanTtft mean over turns 2 and later; published is 2.1
   */
  public record Ratios(
      double rps, double ttftP50, double ttftP95, double ttftP99, double warmMeanTtft) {}

  /** The same with ratios to the given figures of round-robin. */
  ArmFigures comparedWith(ArmFigures roundRobin) {
    return new ArmFigures(
        policy,
        requests,
        rps,
        ttft,
        cold,
        warm,
        meanTtftUsByTurn,
        endToEnd,
        tokenHitRate,
        promptTokens,
        deliveredTokens,
        lostTokens,
        avoidableTokens,
        wakeUpDelayP99Us,
        new Ratios(
            rps / roundRobin.rps,
            (double) roundRobin.ttft.p50Us / ttft.p50Us,
            (double) roundRobin.ttft.p95Us / ttft.p95Us,
            (double) roundRobin.ttft.p99Us / ttft.p99Us,
            roundRobin.warm.meanTtftUs / warm.meanTtftUs));
  }
}
