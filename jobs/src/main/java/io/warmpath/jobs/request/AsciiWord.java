package io.warmpath.jobs.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes of a record in one word, the first in its lowest byte, all looked at in a few
 * instructions. A set of places in it is their highest bits. The tests of bytes may err behind the
 * first byte that they find, as borrows and carries run that way, so only the first one counts.
 */
final class AsciiWord {

  private static final VarHandle LE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHEST_BITS = 0x80 * ONES;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;
  private static final long SPACES = ' ' * ONES;
  private static final long ZEROS = '0' * ONES;

  /** Lifts what is above 9 into the highest bit. */
  private static final long ABOVE_NINE = (0x80 - 10) * ONES;

  private AsciiWord() {}

  /** The bytes from {@code at} on; eight must be there. */
  static long at(byte[] bytes, int at) {
    return (long) LE_LONG.get(bytes, at);
  }

  /** The first bytes from {@code at} on, less than eight, and zeros behind them. */
  static long first(byte[] bytes, int at, int count) {
    if (at + Long.BYTES <= bytes.length) {
      return at(bytes, at) & mask(count);
    }
    long word = 0;
    for (int i = count - 1; i >= 0; i--) {
      word = word << Byte.SIZE | bytes[at + i] & 0xff;
    }
    return word;
  }

  /** The bits of the first bytes, up to eight. */
  static long mask(int bytes) {
    return bytes == 0 ? 0 : -1L >>> Long.SIZE - bytes * Byte.SIZE;
  }

  /** Where quotes, escapes, control characters and bytes beyond ASCII are, 0 where nowhere. */
  static long endsOfText(long word) {
    long quote = word ^ QUOTES;
    long backslash = word ^ BACKSLASHES;
    long ends =
        (quote - ONES & ~quote) | (backslash - ONES & ~backslash) | (word - SPACES & ~word) | word;
    return ends & HIGHEST_BITS;
  }

  /** The first of a set of places that is not empty. */
  static int firstOf(long places) {
    return Long.numberOfTrailingZeros(places) / Byte.SIZE;
  }

  /** How many digits the bytes begin with. */
  static int digits(long word) {
    long values = word ^ ZEROS;
    long others = (values + ABOVE_NINE | values) & HIGHEST_BITS;
    return firstOf(others);
  }

  /** The number that the first {@code digits} bytes are. */
  static long value(long word, int digits) {
    if (digits == 0) {
      return 0;
    }
    // Zeros lead in place of what follows; then pairs, fours and eights are put together.
    long ones = (word ^ ZEROS) << Long.SIZE - digits * Byte.SIZE;
    long pairs = (ones * 10 + (ones >>> 8)) & 0x00ff00ff00ff00ffL;
    long fours = (pairs * 100 + (pairs >>> 16)) & 0x0000ffff0000ffffL;
    return (fours * 10_000 + (fours >>> 32)) & 0xffffffffL;
  }
}
