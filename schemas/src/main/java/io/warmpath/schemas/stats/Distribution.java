package io.warmpath.schemas.stats;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.warmpath.schemas.Require;

/**
 * A distribution of durations, from a DDSketch of relative accuracy 1 %.
 *
 * @param count values in it
 * @param sumUs their exact sum
 * @param p50Us the ceil(0.50·count)-th smallest; null when there is none
 * @param p90Us likewise
 * @param p95Us likewise
 * @param p99Us likewise
 * @param maxUs the exact maximum; null when there is none
 * @param p95LowUs lower end of the 95 % interval of p95; null below 2 values, where there is none
 * @param p95HighUs upper end; null below 72 values, where there is none
 * @param sketchB64 base64 of the encoded sketch, only where a reader is meant to merge windows
 */
public record Distribution(
    long count,
    long sumUs,
    Long p50Us,
    Long p90Us,
    Long p95Us,
    Long p99Us,
    Long maxUs,
    Long p95LowUs,
    Long p95HighUs,
    @JsonInclude(Include.NON_NULL) String sketchB64) {

  /** A distribution of nothing. */
  public static final Distribution EMPTY =
      new Distribution(0, 0, null, null, null, null, null, null, null, null);

  public Distribution {
    Require.notNegative(count, "count");
    Require.notNegative(sumUs, "sum_us");
    Require.notNegative(p50Us, "p50_us");
    Require.notNegative(p90Us, "p90_us");
    Require.notNegative(p95Us, "p95_us");
    Require.notNegative(p99Us, "p99_us");
    Require.notNegative(maxUs, "max_us");
    Require.notNegative(p95LowUs, "p95_low_us");
    Require.notNegative(p95HighUs, "p95_high_us");
    Require.base64(sketchB64, "sketch_b64");
  }
}
