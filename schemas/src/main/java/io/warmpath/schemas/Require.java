package io.warmpath.schemas;

import io.warmpath.schemas.codec.InvalidRecordException;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import java.util.Base64;
import java.util.List;

/** Checks of record components. Each failure names the field as it stands on the wire. */
public final class Require {

  /** Limit of {@link #measure}. */
  public static final long MAX_MEASURE = 100_000_000_000L;

  /** Limit of {@link #time}. */
  public static final long MAX_TIME_MS = 100_000_000_000_000L;

  private static final long MAX_BYTES = 1_000_000_000_000_000L;

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

  /** Likewise. */
  public static void notNegative(Integer value, String field) {
    if (value != null) {
      notNegative(value.longValue(), field);
    }
  }

  /**
   * A count, number of tokens or duration of a single event. The limit is far beyond any real one;
   * it keeps the sums over a window within 64 bits, whatever a client or an engine claims.
   */
  public static void measure(long value, String field) {
    atMost(MAX_MEASURE, value, field);
  }

  /** Like {@link #measure(long, String)}, where null stands for unknown. */
  public static void measure(Long value, String field) {
    if (value != null) {
      measure(value.longValue(), field);
    }
  }

  /** Epoch milliseconds, up to the year 5138: room to add any duration. */
  public static void time(long value, String field) {
    atMost(MAX_TIME_MS, value, field);
  }

  /** A size of memory. */
  public static void bytes(long value, String field) {
    atMost(MAX_BYTES, value, field);
  }

  private static void atMost(long limit, long value, String field) {
    notNegative(value, field);
    if (value > limit) {
      throw new InvalidRecordException(
          Reason.OUT_OF_RANGE, field + " is above " + limit + ": " + value);
    }
  }

  /** A list that must be there, without gaps; copied. */
  public static <T> List<T> list(List<T> values, String field) {
    for (T value : present(values, field)) {
      present(value, field + "[]");
    }
    return List.copyOf(values);
  }

  /**
   * The bytes behind padded base64, where null stands for null.
   *
   * @throws InvalidRecordException with {@link Reason#BAD_TYPE} if the text is none
   */
  public static byte[] base64(String text, String field) {
    if (text == null) {
      return null;
    }
    if (text.length() % 4 != 0) {
      throw new InvalidRecordException(Reason.BAD_TYPE, field + " is not padded base64");
    }
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidRecordException(Reason.BAD_TYPE, field + ": " + e.getMessage(), e);
    }
  }

  /** A share of a whole: from 0 to 1. */
  public static void share(double value, String field) {
    if (!(value >= 0 && value <= 1)) {
      throw new InvalidRecordException(
          Reason.OUT_OF_RANGE, field + " is not between 0 and 1: " + value);
    }
  }

  /** Like {@link #finite(double, String)}, where null stands for unknown. */
  public static void finite(Double value, String field) {
    if (value != null) {
      finite(value.doubleValue(), field);
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
