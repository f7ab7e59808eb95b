package io.warmpath.jobs.pane;

import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.measure.DurationSketch;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Everything that is known of one key and one second, or of any time that such panes were merged
 * over. Merging is exact, and neither order nor grouping matters: counts add up, sketches merge,
 * and of values that are no sums the later or the greater one stays.
 */
public final class Pane {

  /** More runs of balancers than this in one second are not told apart. */
  static final int MAX_ROUTER_RUNS = 256;

  private final long[] counts = new long[Count.SIZE];
  private final DurationSketch[] timings = new DurationSketch[Timing.SIZE];
  private FitBins fit;

  /** Highest loss counter seen of each run of a balancer; only totals have it. */
  private final TreeMap<String, Long> lossByRouterRun = new TreeMap<>();

  private final TreeMap<String, GpuSample> gpuByReplica = new TreeMap<>();

  /** Adds to a count. */
  public void add(Count count, long amount) {
    counts[count.ordinal()] += amount;
  }

  /** The count so far. */
  public long get(Count count) {
    return counts[count.ordinal()];
  }

  /** Adds a duration to a distribution. */
  public void add(Timing timing, long micros) {
    if (timings[timing.ordinal()] == null) {
      timings[timing.ordinal()] = new DurationSketch();
    }
    timings[timing.ordinal()].add(micros);
  }

  /** The distribution; null while it is empty. */
  public DurationSketch get(Timing timing) {
    return timings[timing.ordinal()];
  }

  /**
   * Adds a sample of the replica's speed.
   *
   * @param tokens tokens that had to be computed before the first one came
   * @param micros time that this took
   */
  public void addFitSample(long tokens, long micros) {
    if (fit == null) {
      fit = new FitBins();
    }
    fit.add(tokens, micros);
  }

  /** Forgets the samples of the speed. */
  public void dropFit() {
    fit = null;
  }

  /** Samples of the speed; null while there are none. */
  public FitBins fit() {
    return fit;
  }

  /**
   * Notes how many events a balancer says it lost in a run. Beyond {@value #MAX_ROUTER_RUNS} runs
   * the last by name are left out, whatever the order of arrival.
   */
  public void noteLoss(String routerRun, long eventsLost) {
    lossByRouterRun.merge(routerRun, eventsLost, Math::max);
    if (lossByRouterRun.size() > MAX_ROUTER_RUNS) {
      lossByRouterRun.pollLastEntry();
    }
  }

  /** Highest loss counter by run of a balancer. */
  public Map<String, Long> lossByRouterRun() {
    return lossByRouterRun;
  }

  /** Notes a replica's memory. */
  public void noteGpu(String replica, GpuSample sample) {
    gpuByReplica.merge(replica, sample, GpuSample::later);
  }

  /** The last known memory of each replica that reported a GPU. */
  public Map<String, GpuSample> gpuByReplica() {
    return gpuByReplica;
  }

  /** Takes in another pane, which stays as it is. */
  public void merge(Pane other) {
    mergeAllButSketches(other);
    for (Timing timing : Timing.values()) {
      if (other.get(timing) != null) {
        merge(timing, other.get(timing));
      }
    }
    if (other.fit != null) {
      merge(other.fit);
    }
  }

  /** Takes in what costs little: counts, loss counters and memory. */
  void mergeAllButSketches(Pane other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    if (!other.lossByRouterRun.isEmpty()) {
      other.lossByRouterRun.forEach(this::noteLoss);
    }
    if (!other.gpuByReplica.isEmpty()) {
      other.gpuByReplica.forEach(this::noteGpu);
    }
  }

  private void merge(Timing timing, DurationSketch sketch) {
    if (timings[timing.ordinal()] == null) {
      timings[timing.ordinal()] = sketch.copy();
    } else {
      timings[timing.ordinal()].merge(sketch);
    }
  }

  private void merge(FitBins samples) {
    if (fit == null) {
      fit = samples.copy();
    } else {
      fit.merge(samples);
    }
  }

  /** Makes a distribution this pane's own. */
  void take(Timing timing, DurationSketch sketch) {
    timings[timing.ordinal()] = sketch;
  }

  /** Makes samples of the speed this pane's own. */
  void take(FitBins samples) {
    fit = samples;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Pane that
        && Arrays.equals(counts, that.counts)
        && Arrays.equals(timings, that.timings)
        && Objects.equals(fit, that.fit)
        && lossByRouterRun.equals(that.lossByRouterRun)
        && gpuByReplica.equals(that.gpuByReplica);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  /** A pane of the same content that shares nothing with this one. */
  public Pane copy() {
    Pane copy = new Pane();
    copy.merge(this);
    return copy;
  }
}
