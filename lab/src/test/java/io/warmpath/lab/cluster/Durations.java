package io.warmpath.lab.cluster;

import io.warmpath.lab.synthetic.SyntheticRequests;
import io.warmpath.schemas.stats.Distribution;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every duration of some events, counted one by one: quantiles are exact. */
final class Durations {

  /** What the contract allows sketches to be off. */
  private static final double ACCURACY = 0.01;

  private static final List<Long> VALUES = SyntheticRequests.DURATIONS_US;
  private static final Map<Long, Integer> PLACES = new HashMap<>();

  static {
    for (int i = 0; i < VALUES.size(); i++) {
      PLACES.put(VALUES.get(i), i);
    }
  }

  private final int[] counts = new int[VALUES.size()];

  void add(long us) {
    counts[PLACES.get(us)]++;
  }

  void add(Durations other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
  }

  private long count() {
    return Arrays.stream(counts).asLongStream().sum();
  }

  private long sumUs() {
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      sum += counts[i] * VALUES.get(i);
    }
    return sum;
  }

  /** The ceil(p·n)-th smallest; p in percent. */
  private long quantileUs(int percent) {
    long rank = (count() * percent + 99) / 100;
    int at = -1;
    while (rank > 0) {
      at++;
      rank -= counts[at];
    }
    return VALUES.get(at);
  }

  /** Notes what a row says otherwise. */
  void compare(String name, Distribution said, Differences differences) {
    differences.require(name + ".count", count(), said.count());
    differences.require(name + ".sum_us", sumUs(), said.sumUs());
    if (count() == 0 || said.count() == 0) {
      return;
    }
    differences.require(name + ".max_us", quantileUs(100), said.maxUs());
    requireNear(name + ".p50_us", quantileUs(50), said.p50Us(), differences);
    requireNear(name + ".p90_us", quantileUs(90), said.p90Us(), differences);
    requireNear(name + ".p95_us", quantileUs(95), said.p95Us(), differences);
    requireNear(name + ".p99_us", quantileUs(99), said.p99Us(), differences);
  }

  private static void requireNear(String name, long truth, long said, Differences differences) {
    if (Math.abs(said - truth) > ACCURACY * truth) {
      differences.require(name, truth, said);
    }
  }
}
