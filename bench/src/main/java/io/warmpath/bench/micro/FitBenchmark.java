package io.warmpath.bench.micro;

import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.control.TheilSenFit;
import io.warmpath.schemas.stats.FitStats;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The speed of a replica, learned from a window of a minute. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FitBenchmark {

  private static final int SAMPLES = 5_000;
  private static final int MIN_SAMPLES = 20;

  private final FitBins bins = new FitBins();

  /** Adds samples around 50 µs a token. */
  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < SAMPLES; i++) {
      int tokens = 1 + random.nextInt(16_000);
      bins.add(tokens, 20_000 + 50L * tokens + random.nextInt(40_000));
    }
  }

  /** Time of one fit. */
  @Benchmark
  public Optional<FitStats> fit() {
    return TheilSenFit.of(bins, MIN_SAMPLES);
  }
}
