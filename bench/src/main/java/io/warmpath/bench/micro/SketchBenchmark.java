package io.warmpath.bench.micro;

import io.warmpath.routing.measure.DurationSketch;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Sketches of panes that become the sketch of a window. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SketchBenchmark {

  private static final int PANES = 60;
  private static final int VALUES_A_PANE = 80;

  private final DurationSketch[] panes = new DurationSketch[PANES];
  private final long[] values = new long[VALUES_A_PANE];

  /** Makes panes of durations from 20 ms to 2 s. */
  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < PANES; i++) {
      panes[i] = new DurationSketch();
      for (int j = 0; j < VALUES_A_PANE; j++) {
        values[j] = Math.round(20_000 * Math.pow(100, random.nextDouble()));
        panes[i].add(values[j]);
      }
    }
  }

  /** Time of one merge: a window of a minute merges sixty panes. */
  @Benchmark
  @OperationsPerInvocation(PANES)
  public DurationSketch merge() {
    DurationSketch window = new DurationSketch();
    for (DurationSketch pane : panes) {
      window.merge(pane);
    }
    return window;
  }

  /** Time of one value. */
  @Benchmark
  @OperationsPerInvocation(VALUES_A_PANE)
  public DurationSketch add() {
    DurationSketch pane = new DurationSketch();
    for (long value : values) {
      pane.add(value);
    }
    return pane;
  }
}
