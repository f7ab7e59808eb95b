package io.warmpath.routing.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Non-negative integers in seven bits a byte, least significant first. */
public final class Varint {

  /** Most bytes that an integer takes. */
  static final int MAX_BYTES = 9;

  private static final int MAX_SHIFT = 56;

  private Varint() {}

  /**
   * @throws IllegalArgumentException if {@code value} is negative
   */
  public static void write(long value, DataOutput out) throws IOException {
    if (value < 0) {
      throw new IllegalArgumentException("negative: " + value);
    }
    long rest = value;
    while (rest > 0x7f) {
      out.writeByte((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  /** Writes an integer that is not negative to an array and returns where it ends. */
  static int put(long value, byte[] out, int at) {
    int to = at;
    long rest = value;
    while (rest > 0x7f) {
      out[to++] = (byte) (rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    out[to++] = (byte) rest;
    return to;
  }

  /**
   * @throws IOException if more than nine bytes are chained, or the input ends
   */
  public static long read(DataInput in) throws IOException {
    long value = 0;
    for (int shift = 0; shift <= MAX_SHIFT; shift += 7) {
      byte b = in.readByte();
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new IOException("integer of more than nine bytes");
  }

  /**
   * Reads an integer that must not exceed {@code max}.
   *
   * @throws IOException if it does
   */
  public static int readAtMost(int max, DataInput in) throws IOException {
    long value = read(in);
    if (value > max) {
      throw new IOException(value + " where at most " + max + " is allowed");
    }
    return (int) value;
  }
}
