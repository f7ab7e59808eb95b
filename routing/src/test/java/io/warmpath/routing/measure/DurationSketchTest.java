package io.warmpath.routing.measure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datadoghq.sketch.ddsketch.DDSketches;
import io.warmpath.schemas.stats.Distribution;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class DurationSketchTest {

  @Provide
  Arbitrary<List<Long>> durations() {
    return Arbitraries.oneOf(
            Arbitraries.longs().between(0, 200),
            Arbitraries.longs().between(0, 10_000_000),
            Arbitraries.longs().greaterOrEqual(0))
        .list()
        .ofMinSize(1)
        .ofMaxSize(300);
  }

  @Property
  void eachQuantileIsWithinOnePercentOfTheValueAtItsRank(@ForAll("durations") List<Long> values) {
    DurationSketch sketch = of(values);
    long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
    for (int permille = 1; permille <= 1000; permille += 3) {
      long exact = sorted[(sorted.length * permille + 999) / 1000 - 1];
      long quantile = sketch.quantile(permille / 1000.0);
      assertTrue(
          Math.abs((double) quantile - exact) <= 0.01 * exact,
          () -> quantile + " is not within 1 % of " + exact);
    }
    assertEquals(sorted.length, sketch.count());
    assertEquals(sorted[sorted.length - 1], sketch.maxMicros());
  }

  @Property
  void bytesDoNotDependOnTheOrderOfValuesAndMerges(
      @ForAll("durations") List<Long> values, @ForAll long seed) throws IOException {
    Random random = new Random(seed);
    byte[] expected = bytes(of(values));
    List<Long> shuffled = new ArrayList<>(values);
    Collections.shuffle(shuffled, random);
    assertArrayEquals(expected, bytes(of(shuffled)));
    assertArrayEquals(expected, bytes(mergedInParts(shuffled, random)));
  }

  /** A random tree of merges over random parts. */
  private static DurationSketch mergedInParts(List<Long> values, Random random) {
    List<DurationSketch> parts = new ArrayList<>();
    for (int from = 0; from < values.size(); ) {
      int to = Math.min(values.size(), from + random.nextInt(20));
      parts.add(of(values.subList(from, to)));
      from = to;
    }
    while (parts.size() > 1) {
      DurationSketch one = parts.remove(random.nextInt(parts.size()));
      parts.get(random.nextInt(parts.size())).merge(one);
    }
    return parts.get(0);
  }

  @Property
  void whatIsWrittenIsReadAgain(@ForAll("durations") List<Long> values) throws IOException {
    DurationSketch sketch = of(values);
    DurationSketch read =
        DurationSketch.readFrom(new DataInputStream(new ByteArrayInputStream(bytes(sketch))));
    assertEquals(sketch, read);
    assertEquals(sketch.hashCode(), read.hashCode());
    assertEquals(sketch, DurationSketch.fromBase64(sketch.toBase64()));
    assertEquals(sketch.toDistribution(), read.toDistribution());
  }

  @Property
  void aBinHoldsItsValuesWithinOnePercent(@ForAll @LongRange(max = Long.MAX_VALUE) long value) {
    int bin = DurationBins.of(value);
    assertTrue(DurationBins.lowest(bin) <= value && value <= DurationBins.highest(bin));
    double error = Math.abs((double) DurationBins.representative(bin) - value);
    assertTrue(error <= 0.01 * value, () -> value + " lies in bin " + bin);
  }

  @Test
  void theEdgesOfAllBinsLieInTheirBins() {
    for (int bin = 0; bin < DurationBins.count(); bin++) {
      assertEquals(bin, DurationBins.of(DurationBins.lowest(bin)));
      assertEquals(bin, DurationBins.of(DurationBins.highest(bin)));
    }
  }

  @Test
  void agreesWithThePublishedSketch() {
    Random random = new Random(7);
    DurationSketch ours = new DurationSketch();
    var theirs = DDSketches.unboundedDense(0.01);
    for (int i = 0; i < 100_000; i++) {
      long value = (long) Math.exp(11 + random.nextGaussian());
      ours.add(value);
      theirs.accept(value);
    }
    for (double p : new double[] {0.01, 0.5, 0.9, 0.95, 0.99, 0.999}) {
      assertEquals(theirs.getValueAtQuantile(p), ours.quantile(p), 0.021 * ours.quantile(p));
    }
  }

  @Test
  void aCopyChangesOnItsOwn() {
    DurationSketch sketch = of(List.of(5L, 6L));
    DurationSketch copy = sketch.copy();
    copy.add(7);
    assertEquals(2, sketch.count());
    assertEquals(3, copy.count());
    sketch.clear();
    assertEquals(new DurationSketch(), sketch);
  }

  @Test
  void negativeDurationsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new DurationSketch().add(-1));
  }

  @Test
  void sumsSaturateWhateverTheOrder() {
    DurationSketch sketch = of(List.of(Long.MAX_VALUE, 5L, Long.MAX_VALUE));
    assertEquals(Long.MAX_VALUE, sketch.sumMicros());
    assertEquals(Long.MAX_VALUE, sketch.quantile(1));
  }

  @Test
  void nothingHasNoPercentiles() {
    assertEquals(Distribution.EMPTY, new DurationSketch().toDistribution());
    assertEquals(0, new DurationSketch().quantile(0.5));
  }

  @Test
  void theIntervalHoldsThePercentileAndNeedsEnoughValues() {
    DurationSketch sketch = new DurationSketch();
    for (long i = 1; i <= 71; i++) {
      sketch.add(1000 * i);
    }
    assertNull(sketch.toDistribution().p95HighUs());
    sketch.add(72_000);
    Distribution enough = sketch.toDistribution();
    assertEquals(72_000, enough.p95HighUs());
    assertTrue(enough.p95LowUs() <= enough.p95Us() && enough.p95Us() <= enough.p95HighUs());
    assertEquals(72 * 73 / 2 * 1000, enough.sumUs());
  }

  @Test
  void foreignBytesAreRefused() {
    byte[] good = Base64.getDecoder().decode(of(List.of(100L, 200L, 300L)).toBase64());
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThrows(IllegalArgumentException.class, () -> decode(cut));
    }
    assertThrows(
        IllegalArgumentException.class, () -> decode(Arrays.copyOf(good, good.length + 1)));
    assertThrows(IllegalArgumentException.class, () -> decode(new byte[] {2, 0}));
    // Two bins promised, the second at the place of the first.
    assertThrows(
        IllegalArgumentException.class, () -> decode(new byte[] {1, 2, 5, 1, 0, 1, 10, 5}));
    // An empty bin; a maximum outside of the last bin.
    assertThrows(IllegalArgumentException.class, () -> decode(new byte[] {1, 1, 5, 0, 5, 5}));
    assertThrows(IllegalArgumentException.class, () -> decode(new byte[] {1, 1, 5, 1, 9, 9}));
  }

  @Property(tries = 2000)
  void mutatedBytesAreReadOrRefusedButNeverCrash(
      @ForAll byte[] noise, @ForAll("durations") List<Long> values, @ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = Base64.getDecoder().decode(of(values).toBase64());
    for (byte each : noise) {
      bytes[random.nextInt(bytes.length)] = each;
    }
    try {
      decode(bytes).toDistributionWithSketch();
    } catch (IllegalArgumentException expected) {
      assertTrue(expected.getMessage().contains("sketch"));
    }
  }

  private static DurationSketch decode(byte[] bytes) {
    return DurationSketch.fromBase64(Base64.getEncoder().encodeToString(bytes));
  }

  private static DurationSketch of(List<Long> values) {
    DurationSketch sketch = new DurationSketch();
    values.forEach(sketch::add);
    return sketch;
  }

  private static byte[] bytes(DurationSketch sketch) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    sketch.writeTo(new DataOutputStream(out));
    return out.toByteArray();
  }
}
