package io.warmpath.replica.fault;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * What to change about a replica's faults; null leaves a thing as it is. In JSON the names are in
 * snake_case. Durations are in model time.
 *
 * @param speed how fast the engine computes: 1 = as the profile says, {@value #MIN_SPEED} to
 *     {@value #MAX_SPEED}
 * @param driftMs the time that the engine takes to get to {@code speed}, 0 = at once
 * @param stallMs no step starts for so long from now on; 0 ends a stall
 * @param rejectShare share of generation requests that are refused, 0 to 1
 * @param rejectStatus HTTP status of the refusals, 400 to 599
 * @param crashRequests so many of the next answers break off: the connection is closed
 * @param crashAfterTokens tokens that such an answer has before, at most all but the last one
 * @param loseBatches so many of the next batches of cache events are lost; their numbers are
 *     missing
 * @param duplicateBatches so many are sent twice
 * @param reorderBatches so many are sent after the one that follows
 * @param restart true: the engine starts anew under its name, as after a crash. Open answers break
 *     off, the cache is empty and nobody is told, the next batch has a new incarnation
 */
public record FaultOrder(
    Double speed,
    Long driftMs,
    Long stallMs,
    Double rejectShare,
    Integer rejectStatus,
    Integer crashRequests,
    Integer crashAfterTokens,
    Integer loseBatches,
    Integer duplicateBatches,
    Integer reorderBatches,
    Boolean restart) {

  public static final double MIN_SPEED = 1e-3;
  public static final double MAX_SPEED = 1e3;
  private static final long MAX_MS = 86_400_000;
  private static final int MAX_COUNT = 1_000_000_000;

  private static final ObjectReader READER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build()
          .readerFor(FaultOrder.class);

  /**
   * Checks every figure.
   *
   * @throws IllegalArgumentException naming the field as it stands in JSON
   */
  public FaultOrder {
    requireRange("speed", speed, MIN_SPEED, MAX_SPEED);
    requireRange("drift_ms", driftMs, 0, MAX_MS);
    require(driftMs == null || speed != null, "drift_ms needs speed: where to go");
    requireRange("stall_ms", stallMs, 0, MAX_MS);
    requireRange("reject_share", rejectShare, 0, 1);
    requireRange("reject_status", rejectStatus, 400, 599);
    requireRange("crash_requests", crashRequests, 0, MAX_COUNT);
    requireRange("crash_after_tokens", crashAfterTokens, 0, MAX_COUNT);
    requireRange("lose_batches", loseBatches, 0, MAX_COUNT);
    requireRange("duplicate_batches", duplicateBatches, 0, MAX_COUNT);
    requireRange("reorder_batches", reorderBatches, 0, MAX_COUNT);
  }

  /** Reads orders from JSON; unknown fields are errors. */
  public static ObjectReader reader() {
    return READER;
  }

  private static void requireRange(String field, Number value, double least, double most) {
    boolean holds = value == null || value.doubleValue() >= least && value.doubleValue() <= most;
    require(holds, field + " is " + value + ", must be from " + text(least) + " to " + text(most));
  }

  private static String text(double bound) {
    return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException(problem);
    }
  }
}
