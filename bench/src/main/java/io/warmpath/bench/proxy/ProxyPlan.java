package io.warmpath.bench.proxy;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What is measured, and how.
 *
 * @param contenders who takes part
 * @param measures what of them
 * @param replicas upstreams
 * @param warmUpMs load on the balancer before anything counts; others, which have less to compile,
 *     get a tenth of it
 * @param rounds times that each contender has its turn
 * @param roundMs how long a turn is
 * @param connections of the clients that ask as much as they can
 * @param rate requests a second, for answer times
 * @param streams streams at once
 * @param chunks chunks of each
 * @param chunkIntervalMs time between them
 * @param minutes of full load, for what the balancer keeps in memory
 * @param jvmOptions more options of the balancer's JVM
 */
public record ProxyPlan(
    Set<ProxyKind> contenders,
    Set<Measure> measures,
    int replicas,
    long warmUpMs,
    int rounds,
    long roundMs,
    int connections,
    int rate,
    int streams,
    int chunks,
    long chunkIntervalMs,
    int minutes,
    List<String> jvmOptions) {

  private static final int MOST_CONNECTIONS = 4096;
  private static final int MOST_REPLICAS = 64;

  public ProxyPlan {
    requireRange("--replicas", replicas, 1, MOST_REPLICAS);
    requireRange("--rounds", rounds, 1, 1000);
    requireRange("--connections", connections, 1, MOST_CONNECTIONS);
    requireRange("--rate", rate, 1, 1_000_000);
    requireRange("--streams", streams, 1, MOST_CONNECTIONS);
    requireRange("--chunks", chunks, 1, 100_000);
    requireRange("--chunk-interval", chunkIntervalMs, 1, 60_000);
    requireRange("--minutes", minutes, 1, 10_000);
    if (measures.isEmpty()) {
      throw new IllegalArgumentException("nothing to measure");
    }
    // What is added can only be told beside nothing.
    EnumSet<ProxyKind> all = EnumSet.of(ProxyKind.DIRECT);
    all.addAll(contenders);
    contenders = all;
    measures = EnumSet.copyOf(measures);
    jvmOptions = List.copyOf(jvmOptions);
  }

  private static void requireRange(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s must be from %d to %d, not %d".formatted(option, min, max, value));
    }
  }
}
