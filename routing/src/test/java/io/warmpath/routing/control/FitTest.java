package io.warmpath.routing.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.stats.FitStats;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FitTest {

  private static final int MIN_SAMPLES = 15;

  private record Sample(long tokens, long micros) {}

  private static FitBins bins(List<Sample> samples) {
    FitBins bins = new FitBins();
    samples.forEach(s -> bins.add(s.tokens(), s.micros()));
    return bins;
  }

  private static List<Sample> line(double intercept, double slope, double sigma, int n, Random r) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      long tokens = (long) Math.exp(4 + 5 * r.nextDouble());
      double noise = Math.exp(sigma * r.nextGaussian());
      samples.add(new Sample(tokens, (long) Math.max(0, (intercept + slope * tokens) * noise)));
    }
    return samples;
  }

  private static FitStats fit(List<Sample> samples) {
    return TheilSenFit.of(bins(samples), MIN_SAMPLES).orElseThrow();
  }

  @Test
  void findsALineWithoutNoise() {
    FitStats fit = fit(line(30_000, 80, 0, 500, new Random(1)));
    assertEquals(80, fit.usPerToken(), 0.8);
    assertEquals(30_000, fit.interceptUs(), 900);
    assertEquals(FitStats.Source.TTFT, fit.source());
  }

  @Test
  void findsALineInLognormalNoise() {
    FitStats fit = fit(line(30_000, 80, 0.3, 2000, new Random(1)));
    assertEquals(80, fit.usPerToken(), 6);
  }

  @Test
  void aMinorityOfWildValuesMovesLittle() {
    List<Sample> samples = line(30_000, 80, 0.05, 400, new Random(1));
    for (int i = 0; i < samples.size(); i += 4) {
      samples.set(i, new Sample(samples.get(i).tokens(), 20_000_000));
    }
    assertEquals(80, fit(samples).usPerToken(), 8);
  }

  @Test
  void tooLittleMakesNoLine() {
    Random random = new Random(1);
    assertEquals(
        Optional.empty(), TheilSenFit.of(bins(line(30_000, 80, 0, 14, random)), MIN_SAMPLES));
    List<Sample> twoLoads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      twoLoads.add(new Sample(i % 2 == 0 ? 100 : 1000, 50_000));
    }
    assertEquals(Optional.empty(), TheilSenFit.of(bins(twoLoads), MIN_SAMPLES));
  }

  @Test
  void moreLoadThatTakesLessTimeMakesNoLine() {
    List<Sample> falling = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      falling.add(new Sample(100L * i, 10_000_000 - 1000L * i));
    }
    assertEquals(Optional.empty(), TheilSenFit.of(bins(falling), MIN_SAMPLES));
  }

  @Test
  void aLineThatWouldStartBelowZeroStartsAtZero() {
    assertEquals(0, fit(line(-5_000, 80, 0, 500, new Random(1))).interceptUs(), 1500);
  }

  @Test
  void theGpuGivesTheSlopeAndTheTimesTheIntercept() {
    FitBins bins = bins(line(30_000, 80, 0, 500, new Random(1)));
    FitStats fit = TheilSenFit.withGpuSlope(bins, 80, MIN_SAMPLES).orElseThrow();
    assertEquals(80, fit.usPerToken());
    assertEquals(30_000, fit.interceptUs(), 900);
    assertEquals(FitStats.Source.GPU, fit.source());
    assertTrue(TheilSenFit.withGpuSlope(bins, Double.NaN, MIN_SAMPLES).isEmpty());
    assertTrue(TheilSenFit.withGpuSlope(new FitBins(), 80, MIN_SAMPLES).isEmpty());
  }

  @Property(tries = 200)
  void bytesDoNotDependOnOrder(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<Sample> samples = line(30_000, 80, 0.3, 100, random);
    byte[] expected = bytes(bins(samples));
    Collections.shuffle(samples, random);
    FitBins merged = bins(samples.subList(40, 100));
    merged.merge(bins(samples.subList(0, 40)));
    assertArrayEquals(expected, bytes(merged));
    assertArrayEquals(expected, bytes(merged.copy()));
    FitBins read = FitBins.readFrom(new DataInputStream(new ByteArrayInputStream(expected)));
    assertEquals(merged, read);
    assertEquals(100, read.count());
  }

  @Test
  void foreignBytesAreRefused() {
    DataInputStream twice =
        new DataInputStream(new ByteArrayInputStream(new byte[] {2, 3, 0, 0, 3, 0, 0}));
    assertThrows(IOException.class, () -> FitBins.readFrom(twice));
  }

  @Test
  void loadIsWhatIsNotCachedAndAShareOfTheBacklog() {
    assertEquals(115, FitBins.load(100, 100, 0.15));
    assertEquals(0, FitBins.load(-5, -5, 0.15));
    assertThrows(IllegalArgumentException.class, () -> new FitBins().add(-1, 5));
    new FitBins().add(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  private static byte[] bytes(FitBins bins) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bins.writeTo(new DataOutputStream(out));
    return out.toByteArray();
  }
}
