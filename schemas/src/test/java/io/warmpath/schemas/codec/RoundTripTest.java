package io.warmpath.schemas.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.fixture.RecordArbitraries;
import io.warmpath.schemas.fixture.Sample;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.domains.Domain;

class RoundTripTest {

  private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Pattern FRACTION = Pattern.compile("\\.\\d+");

  @Property
  @Domain(RecordArbitraries.class)
  void decodingGivesBackWhatWasEncoded(@ForAll Sample<?> sample) {
    assertRoundTrip(sample);
  }

  private static <T extends WarmpathRecord> void assertRoundTrip(Sample<T> sample) {
    byte[] bytes = sample.encoded();
    T decoded = sample.codec().decode(bytes);
    assertEquals(sample.record(), decoded);
    assertArrayEquals(bytes, sample.codec().encode(decoded));
  }

  @Property
  @Domain(RecordArbitraries.class)
  void everyFractionHasSixDecimals(@ForAll Sample<?> sample) {
    String json = new String(sample.encoded(), StandardCharsets.UTF_8);
    FRACTION
        .matcher(STRING.matcher(json).replaceAll(""))
        .results()
        .forEach(fraction -> assertEquals(7, fraction.group().length(), json));
  }

  @Property
  void roundingTwiceIsRoundingOnce(@ForAll @DoubleRange(min = 0, max = 1e15) double value) {
    double once = SixDecimals.round(value);
    assertEquals(once, SixDecimals.round(once));
    assertTrue(Math.abs(once - value) <= 0.5000001e-6 + Math.ulp(value));
  }

  @Example
  void halvesRoundToEven() {
    assertEquals(0.000002, SixDecimals.round(0.0000015));
    assertEquals(0.000002, SixDecimals.round(0.0000025));
  }

  @Example
  void aRatioOfNothingIsUnknown() {
    assertEquals(null, SixDecimals.ratio(0, 0));
    assertEquals(0.01, SixDecimals.ratio(1, 100));
    assertEquals(0.333333, SixDecimals.ratio(1, 3));
  }
}
