package io.warmpath.jobs.pane;

import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.measure.DurationSketch;
import io.warmpath.routing.measure.SketchSum;
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

  private static final Timing[] TIMINGS = Timing.values();

  private final long[] counts = new long[Count.SIZE];
  private final DurationSketch[] timings = new DurationSketch[Timing.SIZE];
  private FitBins fit;

  // What came one by one and has not been counted yet: durations, and loads before theirs.
  private final ValueList[] uncounted = new ValueList[Timing.SIZE];
  private ValueList uncountedFit;

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
    if (micros != (int) micros || micros < 0) {
      sketch(timing).add(micros);
      return;
    }
    ValueList values = uncounted[timing.ordinal()];
    if (values == null || !values.hasRoomFor(1)) {
      count(timing);
      values = new ValueList();
      uncounted[timing.ordinal()] = values;
    }
    values.add((int) micros);
  }

  private DurationSketch sketch(Timing timing) {
    if (timings[timing.ordinal()] == null) {
      timings[timing.ordinal()] = new DurationSketch();
    }
    return timings[timing.ordinal()];
  }

  private void count(Timing timing) {
    ValueList values = uncounted[timing.ordinal()];
    if (values != null) {
      uncounted[timing.ordinal()] = null;
      for (int i = 0; i < values.size(); i++) {
        sketch(timing).add(values.get(i));
      }
    }
  }

  /**
   * Counts what came one by one, as anything does that asks for a distribution, in less time.
   *
   * @param empty for use meanwhile, and empty again after it
   */
  void count(SketchSum empty) {
    for (Timing timing : TIMINGS) {
      ValueList values = uncounted[timing.ordinal()];
      if (values != null) {
        uncounted[timing.ordinal()] = null;
        for (int i = 0; i < values.size(); i++) {
          empty.add(values.get(i));
        }
        if (timings[timing.ordinal()] != null) {
          empty.add(timings[timing.ordinal()]);
        }
        timings[timing.ordinal()] = empty.take();
      }
    }
  }

  /** The distribution; null while it is empty. */
  public DurationSketch get(Timing timing) {
    count(timing);
    return timings[timing.ordinal()];
  }

  /**
   * Adds a sample of the replica's speed.
   *
   * @param tokens tokens that had to be computed before the first one came
   * @param micros time that this took
   */
  public void addFitSample(long tokens, long micros) {
    if (tokens != (int) tokens || tokens < 0 || micros != (int) micros || micros < 0) {
      countedFit().add(tokens, micros);
      return;
    }
    if (uncountedFit == null || !uncountedFit.hasRoomFor(2)) {
      countFit();
      uncountedFit = new ValueList();
    }
    uncountedFit.add((int) tokens);
    uncountedFit.add((int) micros);
  }

  private FitBins countedFit() {
    if (fit == null) {
      fit = new FitBins();
    }
    return fit;
  }

  private void countFit() {
    ValueList values = uncountedFit;
    if (values != null) {
      uncountedFit = null;
      for (int i = 0; i < values.size(); i += 2) {
        countedFit().add(values.get(i), values.get(i + 1));
      }
    }
  }

  /** Forgets the samples of the speed. */
  public void dropFit() {
    fit = null;
    uncountedFit = null;
  }

  /** Whether there are samples of the speed. */
  boolean hasFit() {
    return fit != null || uncountedFit != null;
  }

  /** Adds the samples of the speed to a sum. */
  void addFitTo(FitBins.Sum sum) {
    if (fit != null) {
      sum.add(fit);
    }
    if (uncountedFit != null) {
      for (int i = 0; i < uncountedFit.size(); i += 2) {
        sum.add(uncountedFit.get(i), uncountedFit.get(i + 1));
      }
    }
  }

  /** Samples of the speed; null while there are none. */
  public FitBins fit() {
    countFit();
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
    for (Timing timing : TIMINGS) {
      if (other.get(timing) != null) {
        merge(timing, other.get(timing));
      }
    }
    if (other.fit() != null) {
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
    count(timing);
    if (timings[timing.ordinal()] == null) {
      timings[timing.ordinal()] = sketch.copy();
    } else {
      timings[timing.ordinal()].merge(sketch);
    }
  }

  private void merge(FitBins samples) {
    countFit();
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
        && Arrays.stream(TIMINGS).allMatch(each -> Objects.equals(get(each), that.get(each)))
        && Objects.equals(fit(), that.fit())
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
