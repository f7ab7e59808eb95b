package io.warmpath.balancer.sse;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks for bytes, eight at a time. */
final class ByteScan {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private ByteScan() {}

  /** Index of the first of two ASCII characters in {@code in[from, to)}, or {@code to}. */
  static int either(byte[] in, int from, int to, char one, char other) {
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long eight = (long) LONGS.get(in, at);
      long found = zeros(eight ^ (ONES * one)) | zeros(eight ^ (ONES * other));
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (at < to && in[at] != one && in[at] != other) {
      at++;
    }
    return at;
  }

  /**
   * High bits of the bytes that are 0, of which the lowest is right: a borrow can only mark bytes
   * above it.
   */
  private static long zeros(long eight) {
    return (eight - ONES) & ~eight & HIGHS;
  }
}
