package io.warmpath.balancer.sse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SseDecoderPropertyTest {

  @Property(tries = 300)
  void findsTheSameEventsHoweverTheStreamIsCut(
      @ForAll("streams") String stream, @ForAll long seed) {
    byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
    assertEquals(
        SseDecoderTest.decode(List.of(bytes)),
        SseDecoderTest.decode(randomPieces(bytes, new Random(seed))));
  }

  @Provide
  Arbitrary<String> streams() {
    return Arbitraries.of(
            "\n",
            "\r",
            "\r\n",
            "data",
            ":",
            " ",
            "data: {\"a\":1}",
            "event: x",
            "é漢😀",
            "id: 3",
            "\uFEFF")
        .list()
        .ofMaxSize(40)
        .map(parts -> String.join("", parts));
  }

  private static List<byte[]> randomPieces(byte[] bytes, Random random) {
    List<byte[]> pieces = new ArrayList<>();
    int from = 0;
    while (from < bytes.length) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(5));
      pieces.add(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    return pieces;
  }
}
