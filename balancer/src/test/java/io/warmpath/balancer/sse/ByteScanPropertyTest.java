package io.warmpath.balancer.sse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class ByteScanPropertyTest {

  @Property(tries = 5_000)
  void findsWhatALoopFinds(
      @ForAll("bytes") byte[] in, @ForAll @IntRange(max = 9) int skipped, @ForAll boolean quotes) {
    int from = Math.min(skipped, in.length);
    char one = quotes ? '"' : '\n';
    char other = quotes ? '\\' : '\r';
    int at = from;
    while (at < in.length && in[at] != one && in[at] != other) {
      at++;
    }
    assertEquals(at, ByteScan.either(in, from, in.length, one, other));
  }

  /** Those sought, their neighbours with and without the high bit, and any. */
  @Provide
  Arbitrary<byte[]> bytes() {
    Arbitrary<Byte> near =
        Arbitraries.of(
            (byte) '\n',
            (byte) '\r',
            (byte) '"',
            (byte) '\\',
            (byte) 0x0b,
            (byte) 0x8a,
            (byte) 0x8d,
            (byte) 0xa2,
            (byte) 0xdc,
            (byte) 0,
            (byte) 0x80,
            (byte) 0xff);
    return Arbitraries.oneOf(near, Arbitraries.bytes()).array(byte[].class).ofMaxSize(64);
  }
}
