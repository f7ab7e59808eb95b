package io.warmpath.balancer.sse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.balancer.fixture.SharedData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SseDecoderTest {

  private static final int MAX_EVENT_BYTES = 1 << 20;

  record Event(String name, String data) {}

  record Vector(String name, List<byte[]> pieces, List<Event> events) {
    byte[] whole() {
      return join(pieces);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Vector> vectors() throws IOException {
    JsonNode all =
        new ObjectMapper().readTree(SharedData.path("sse/decoder/vectors.json").toFile());
    return StreamSupport.stream(all.spliterator(), false).map(SseDecoderTest::vector);
  }

  private static Vector vector(JsonNode node) {
    List<byte[]> pieces = new ArrayList<>();
    node.path("chunks_hex").forEach(hex -> pieces.add(HexFormat.of().parseHex(hex.asText())));
    List<Event> events = new ArrayList<>();
    node.path("events")
        .forEach(e -> events.add(new Event(e.path("event").textValue(), e.path("data").asText())));
    return new Vector(node.path("name").asText(), pieces, events);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void readsVectorsAsTheyAreCut(Vector vector) {
    assertEquals(vector.events(), decode(vector.pieces()));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void readsVectorsInOnePiece(Vector vector) {
    assertEquals(vector.events(), decode(List.of(vector.whole())));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void readsVectorsByteByByte(Vector vector) {
    assertEquals(vector.events(), decode(pieces(vector.whole(), 1)));
  }

  @Test
  void saysWhereBlocksEnd() {
    byte[] in = "data: a\r\n\r\n: ping\n\ndata: b\r\r".getBytes(StandardCharsets.US_ASCII);
    SseDecoder decoder = new SseDecoder(MAX_EVENT_BYTES);

    int first = decoder.next(in, 0, in.length);
    assertEquals("data: a\r\n\r\n".length(), first);
    assertTrue(decoder.hasEvent());

    int second = decoder.next(in, first, in.length);
    assertEquals(first + ": ping\n\n".length(), second);
    assertFalse(decoder.hasEvent());

    assertEquals(in.length, decoder.next(in, second, in.length));
    assertEquals(-1, decoder.next(in, in.length, in.length));
    assertEquals(1, decoder.comments());
  }

  @Test
  void keepsNoMoreOfAnEventThanAllowed() {
    byte[] in =
        ("data: " + "x".repeat(1000) + "\n\ndata: y\n\n").getBytes(StandardCharsets.US_ASCII);
    SseDecoder decoder = new SseDecoder(100);
    int at = 0;
    List<Boolean> oversized = new ArrayList<>();
    for (byte[] piece : pieces(in, 7)) {
      at = 0;
      while ((at = decoder.next(piece, at, piece.length)) >= 0) {
        oversized.add(decoder.oversized());
        assertTrue(decoder.dataTo() - decoder.dataFrom() <= 100);
      }
    }
    assertEquals(List.of(true, false), oversized);
  }

  static List<Event> decode(List<byte[]> pieces) {
    SseDecoder decoder = new SseDecoder(MAX_EVENT_BYTES);
    List<Event> events = new ArrayList<>();
    for (byte[] piece : pieces) {
      int at = 0;
      while ((at = decoder.next(piece, at, piece.length)) >= 0) {
        if (decoder.hasEvent()) {
          String data =
              new String(
                  decoder.data(),
                  decoder.dataFrom(),
                  decoder.dataTo() - decoder.dataFrom(),
                  StandardCharsets.UTF_8);
          events.add(new Event(decoder.name(), data));
        }
      }
    }
    return events;
  }

  private static List<byte[]> pieces(byte[] bytes, int size) {
    List<byte[]> pieces = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += size) {
      pieces.add(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + size)));
    }
    return pieces;
  }

  private static byte[] join(List<byte[]> pieces) {
    byte[] all = new byte[pieces.stream().mapToInt(piece -> piece.length).sum()];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    return all;
  }
}
