package io.warmpath.lab.truth;

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

  private static final byte[] NONE = {};

  /** Where in the list each value stands, in no order: mostly they are few. */
  private byte[] places = NONE;

  private int size;

  void add(long us) {
    reserve(1);
    places[size++] = PLACES.get(us).byteValue();
  }

  void add(Durations other) {
    reserve(other.size);
    System.arraycopy(other.places, 0, places, size, other.size);
    size += other.size;
  }

  private void reserve(int more) {
    if (size + more > places.length) {
      places = Arrays.copyOf(places, Math.max(size + more, 2 * size));
    }
  }

  private int[] counts() {
    int[] counts = new int[VALUES.size()];
    for (int i = 0; i < size; i++) {
      counts[Byte.toUnsignedInt(places[i])]++;
    }
    return counts;
  }

  private static long sumUs(int[] counts) {
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      sum += counts[i] * VALUES.get(i);
    }
    return sum;
  }

  /** The ceil(p·n)-th smallest; p in percent. */
  private long quantileUs(int[] counts, int percent) {
    long rank = ((long) size * percent + 99) / 100;
    int at = -1;
    while (rank > 0) {
      at++;
      rank -= counts[at];
    }
    return VALUES.get(at);
  }

  /** Notes what a row says otherwise. */
  void compare(String name, Distribution said, Differences differences) {
    int[] counts = counts();
    differences.require(name + ".count", (long) size, said.count());
    differences.require(name + ".sum_us", sumUs(counts), said.sumUs());
    if (size == 0 || said.count() == 0) {
      return;
    }
    differences.require(name + ".max_us", quantileUs(counts, 100), said.maxUs());
    requireNear(name + ".p50_us", quantileUs(counts, 50), said.p50Us(), differences);
    requireNear(name + ".p90_us", quantileUs(counts, 90), said.p90Us(), differences);
    requireNear(name + ".p95_us", quantileUs(counts, 95), said.p95Us(), differences);
    requireNear(name + ".p99_us", quantileUs(counts, 99), said.p99Us(), differences);
  }

  private static void requireNear(String name, long truth, long said, Differences differences) {
    if (Math.abs(said - truth) > ACCURACY * truth) {
      differences.require(name, truth, said);
    }
  }
}
