package io.warmpath.jobs.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Up to eight ASCII digits at once, as the bytes of one word, the first one lowest. */
final class EightDigits {

  static final int COUNT = Long.BYTES;

  private static final VarHandle LE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ZEROS = 0x3030303030303030L;

  /** Added to a byte above '9', it sets the highest bit. */
  private static final long ABOVE_NINE = 0x4646464646464646L;

  private static final long HIGHEST_BITS = 0x8080808080808080L;

  private EightDigits() {}

  /** The eight bytes at a place. */
  static long at(byte[] bytes, int at) {
    return (long) LE_LONG.get(bytes, at);
  }

  /**
   * How many of the bytes are digits, up to the first that is none. What is carried or borrowed
   * comes from a byte that is none, and only reaches those behind it.
   */
  static int leading(long word) {
    long others = (word + ABOVE_NINE | word - ZEROS) & HIGHEST_BITS;
    return Long.numberOfTrailingZeros(others) >>> 3;
  }

  /** The number that the first {@code digits} bytes say, 0 for none of them. */
  static long value(long word, int digits) {
    if (digits == 0) {
      return 0;
    }
    // Leading zeros take the place of what follows the digits; pairs, fours, then all are joined.
    long padded = word << Byte.SIZE * (COUNT - digits) & 0x0F0F0F0F0F0F0F0FL;
    long pairs = padded * (1 + (10 << 8)) >>> 8 & 0x00FF00FF00FF00FFL;
    long fours = pairs * (1 + (100 << 16)) >>> 16 & 0x0000FFFF0000FFFFL;
    return fours * (1 + (10_000L << 32)) >>> 32;
  }
}
