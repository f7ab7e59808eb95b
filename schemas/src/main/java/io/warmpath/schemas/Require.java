package io.warmpath.schemas;

import io.warmpath.schemas.codec.InvalidRecordException;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;

/** Checks of record components. Each failure names the field as it stands on the wire. */
public final class Require {

  private Require() {}

  /** A value that must be there. */
  public static <T> T present(T value, String field) {
    if (value == null) {
      throw new InvalidRecordException(Reason.MISSING_FIELD, field + " is missing");
    }
    return value;
  }

  /** A count, size or time: 0 or more. */
  public static void notNegative(long value, String field) {
    if (value < 0) {
      throw new InvalidRecordException(Reason.OUT_OF_RANGE, field + " is negative: " + value);
    }
  }

  /** Like {@link #notNegative(long, String)}, where null stands for unknown. */
  public static void notNegative(Long value, String field) {
    if (value != null) {
      notNegative(value.longValue(), field);
    }
  }

  /** A measure that must be a finite number, 0 or more. */
  public static void finite(double value, String field) {
    if (!(value >= 0 && value <= Double.MAX_VALUE)) {
      throw new InvalidRecordException(
          Reason.OUT_OF_RANGE, field + " is not a finite number of at least 0: " + value);
    }
  }
}
