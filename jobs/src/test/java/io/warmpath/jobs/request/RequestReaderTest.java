package io.warmpath.jobs.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.testing.Request;
import io.warmpath.jobs.testing.Traffic;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.InvalidRecordException;
import io.warmpath.schemas.request.PrefixSample;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the bytes are, the fast reader says what the codec says, or asks it. */
class RequestReaderTest {

  private static final long T = 1_796_083_200_000L;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RequestReader reader = new RequestReader();

  @Property(tries = 300)
  void readsEventsAsTheyAreWrittenWithoutTheCodec(@ForAll long seed) {
    for (RequestEvent event : events(seed, 50)) {
      byte[] bytes = Codecs.REQUEST_EVENT.encode(event);
      assertEquals(RequestFigures.of(event), reader.readPlain(bytes));
    }
  }

  @Property(tries = 300)
  void readsFieldsInAnyOrderWithoutTheCodec(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    for (RequestEvent event : events(seed, 20)) {
      ObjectNode node = (ObjectNode) JSON.readTree(Codecs.REQUEST_EVENT.encode(event));
      List<String> names = new ArrayList<>();
      node.fieldNames().forEachRemaining(names::add);
      Collections.shuffle(names.subList(1, names.size()), random);
      ObjectNode shuffled = JSON.createObjectNode();
      names.forEach(name -> shuffled.set(name, node.get(name)));
      assertEquals(RequestFigures.of(event), reader.readPlain(JSON.writeValueAsBytes(shuffled)));
    }
  }

  @Property(tries = 2_000)
  void agreesWithTheCodecOnAnyBytes(@ForAll byte[] bytes) {
    assertAgrees(bytes);
  }

  @Property(tries = 3_000)
  void agreesWithTheCodecOnEventsWithBytesGoneWrong(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = Codecs.REQUEST_EVENT.encode(events(seed, 1).get(0));
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      // Characters that JSON gives a meaning to come up more often than others.
      String special = "\"\\{}[],:0123456789-+.eEnulltrueflasex=/ \n\t\0";
      bytes[random.nextInt(bytes.length)] =
          random.nextBoolean()
              ? (byte) special.charAt(random.nextInt(special.length()))
              : (byte) random.nextInt(256);
    }
    assertAgrees(bytes);
  }

  @Property(tries = 2_000)
  void agreesWithTheCodecOnEventsCutOrWithPiecesMoved(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = Codecs.REQUEST_EVENT.encode(events(seed, 1).get(0));
    String text = new String(bytes, StandardCharsets.UTF_8);
    int from = random.nextInt(text.length());
    int to = from + random.nextInt(text.length() - from + 1);
    String piece = text.substring(from, to);
    String changed =
        switch (random.nextInt(4)) {
          case 0 -> text.substring(0, from);
          case 1 -> text.substring(0, from) + text.substring(to);
          case 2 -> text.substring(0, to) + piece + text.substring(to);
          default -> text + piece;
        };
    assertAgrees(changed.getBytes(StandardCharsets.UTF_8));
  }

  @Property(tries = 3_000)
  void agreesWithTheCodecOnEventsWithValuesGoneWrong(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    ObjectNode node =
        (ObjectNode) JSON.readTree(Codecs.REQUEST_EVENT.encode(events(seed, 1).get(0)));
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    String name = names.get(random.nextInt(names.size()));
    List<String> values =
        List.of(
            "null",
            "0",
            "-1",
            "1",
            "2",
            "1.0",
            "1e3",
            "-0",
            "007",
            "100000000000",
            "100000000001",
            "100000000000000",
            "100000000000001",
            "2147483648",
            "9223372036854775808",
            "99999999999999999999999",
            "NaN",
            "true",
            "false",
            "\"\"",
            "\"*\"",
            "\" \"",
            "\"é\"",
            "\"\\u0041\"",
            "\"ok\"",
            "\"x\"",
            "[]",
            "{}",
            "[1]",
            "{\"a\":1}",
            "{\"a\":1,\"a\":2}",
            "\"AAAA\"",
            "\"AAAAAAAAAAA=\"");
    String value = values.get(random.nextInt(values.size()));
    String marker = "\"<here>\"";
    if (random.nextInt(4) == 0 && node.get("prefix") instanceof ObjectNode prefix) {
      List<String> parts = new ArrayList<>();
      prefix.fieldNames().forEachRemaining(parts::add);
      prefix.put(parts.get(random.nextInt(parts.size())), "<here>");
    } else if (random.nextInt(6) == 0) {
      node.put(random.nextBoolean() ? "status" : "surprise", "<here>");
    } else if (random.nextInt(6) == 0) {
      node.remove(name);
    } else {
      node.put(name, "<here>");
    }
    String text = JSON.writeValueAsString(node).replace(marker, value);
    assertAgrees(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(ints = {31, 32, 33, 400_000})
  void agreesWithTheCodecOnDeepNesting(int depth) {
    assertAgrees(("[".repeat(depth)).getBytes(StandardCharsets.UTF_8));
    String event = new String(Codecs.REQUEST_EVENT.encode(Request.at(T).finished()));
    assertAgrees(
        (event.substring(0, event.length() - 1)
                + ",\"deep\":"
                + "[".repeat(depth)
                + "]".repeat(depth)
                + "}")
            .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void leavesTenMegabytesToTheCodec() {
    byte[] bytes = new byte[10_000_000];
    assertNull(reader.readPlain(bytes));
    assertAgrees(bytes);
    assertAgrees(null);
    assertAgrees(new byte[0]);
  }

  @Test
  void aKeyThatTakesAnothersPlaceIsItself() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 20_000; i++) {
        RequestEvent event = Request.at(T).replica("replica-" + i).finished();
        RequestFigures read = reader.readPlain(Codecs.REQUEST_EVENT.encode(event));
        assertEquals("replica-" + i, read.key().replica());
      }
    }
  }

  private void assertAgrees(byte[] bytes) {
    RequestFigures plain = reader.readPlain(bytes);
    RequestEvent event;
    try {
      event = Codecs.REQUEST_EVENT.decode(bytes);
    } catch (InvalidRecordException e) {
      assertNull(plain, () -> "read what the codec refuses: " + e.getMessage());
      return;
    }
    RequestFigures expected = RequestFigures.of(event);
    if (plain != null) {
      assertEquals(expected, plain);
    }
    assertEquals(expected, reader.read(bytes));
    assertNotNull(expected);
  }

  private static List<RequestEvent> events(long seed, int count) {
    Random random = new Random(seed);
    return new Traffic(seed, T, 1_000 * count)
        .records(2 * count + 20).stream()
            .filter(record -> record.value() instanceof RequestEvent)
            .limit(count)
            .map(Parsed::value)
            .map(RequestEvent.class::cast)
            .map(event -> event instanceof Routed routed ? withPrefix(routed, random) : event)
            .toList();
  }

  private static RequestEvent withPrefix(Routed routed, Random random) {
    double rate = List.of(0.0, 0.0625, 1.0).get(random.nextInt(3));
    PrefixSample prefix =
        random.nextInt(4) == 0
            ? null
            : new PrefixSample(
                16, 10, rate, HashList.of(random.longs(random.nextInt(5)).toArray()));
    return new Routed(routed.context(), routed.facts(), prefix);
  }
}
