package io.warmpath.schemas.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Writes a double with exactly six decimals, rounded half even, so that equal results have equal
 * bytes.
 */
public final class SixDecimals extends StdSerializer<Double> {

  private static final long serialVersionUID = 1L;

  public SixDecimals() {
    super(Double.class);
  }

  /** The value as a reader of the wire form will see it. */
  public static double round(double value) {
    return decimal(value).doubleValue();
  }

  /** {@code part / whole} with six decimals, or null where {@code whole} is 0: unknown is not 0. */
  public static Double ratio(long part, long whole) {
    return whole == 0 ? null : round((double) part / whole);
  }

  /** The value as it is written. */
  static String text(double value) {
    return decimal(value).toPlainString();
  }

  private static BigDecimal decimal(double value) {
    return BigDecimal.valueOf(value).setScale(6, RoundingMode.HALF_EVEN);
  }

  @Override
  public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
      throws IOException {
    out.writeNumber(text(value));
  }
}
