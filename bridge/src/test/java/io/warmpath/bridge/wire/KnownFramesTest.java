package io.warmpath.bridge.wire;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.warmpath.bridge.fixture.SharedData;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Messages that live engines sent, or that the tests of other routers hold to. */
class KnownFramesTest {

  /** These are no batches at all; of the other bad ones only an event is bad. */
  private static final Set<String> NO_BATCH = Set.of("bad-not-msgpack", "bad-empty-payload");

  private static final Set<String> UNKNOWN_TYPE = Set.of("bad-unknown-tag");

  @Test
  void ownFramesDecodeAsExpected() throws IOException {
    JsonNode frames =
        new JsonMapper().readTree(getClass().getResourceAsStream("/wire/frames.json"));
    assertAll(checks(frames));
  }

  @Test
  void publicFramesDecodeAsExpected() throws IOException {
    Path file = SharedData.path("kvevents/vectors.json");
    JsonNode frames = new JsonMapper().readTree(file.toFile());
    assertEquals(23, frames.size());
    assertAll(checks(frames));
  }

  private static Stream<Executable> checks(JsonNode frames) {
    return StreamSupport.stream(frames.spliterator(), false).map(frame -> () -> check(frame));
  }

  private static void check(JsonNode frame) throws MalformedBatchException {
    String name = frame.path("name").asText();
    if (frame.has("frames_hex")) {
      return; // Of the replay's protocol, which has a test of its own.
    }
    byte[] payload = HexFormat.of().parseHex(frame.path("payload_hex").asText());
    JsonNode expected = frame.path("expect");
    if (NO_BATCH.contains(name)) {
      assertThrows(MalformedBatchException.class, () -> new BatchDecoder().decode(payload), name);
      return;
    }
    EngineBatch batch = new BatchDecoder().decode(payload);
    if (expected.has("error")) {
      int unknown = UNKNOWN_TYPE.contains(name) ? 1 : 0;
      assertEquals(List.of(), batch.events(), name);
      assertEquals(unknown, batch.unknownEvents(), name);
      assertEquals(1 - unknown, batch.malformedEvents(), name);
      return;
    }
    assertEquals(expected.path("ts").asDouble(), batch.timeSeconds(), name);
    assertEquals(
        expected.path("data_parallel_rank").asInt(EngineBatch.NO_RANK), batch.rank(), name);
    assertEquals(expected.path("events").size(), batch.events().size(), name);
    for (int i = 0; i < batch.events().size(); i++) {
      check(name, expected.path("events").get(i), batch.events().get(i));
    }
  }

  private static void check(String name, JsonNode expected, EngineEvent event) {
    if (event instanceof EngineEvent.Stored stored) {
      assertEquals("BlockStored", expected.path("type").asText(), name);
      assertArrayEquals(hashes(expected), stored.hashes(), name);
      JsonNode parent = expected.path("parent_block_hash");
      assertEquals(parent.isNull() ? null : (Long) hash(parent), stored.parent(), name);
      int[] tokens =
          StreamSupport.stream(expected.path("token_ids").spliterator(), false)
              .mapToInt(JsonNode::asInt)
              .toArray();
      assertArrayEquals(tokens, stored.tokens(), name);
      assertEquals(expected.path("block_size").asInt(), stored.blockTokens(), name);
      assertEquals(expected.path("lora_id").asLong(0), stored.loraId(), name);
      assertEquals(expected.path("lora_name").textValue(), stored.lora(), name);
      assertEquals(medium(expected), stored.medium(), name);
      assertEquals(expected.path("group_idx").asInt(0), stored.group(), name);
      check(name, expected.path("extra_keys"), stored.extraKeys());
    } else if (event instanceof EngineEvent.Removed removed) {
      assertEquals("BlockRemoved", expected.path("type").asText(), name);
      assertArrayEquals(hashes(expected), removed.hashes(), name);
      assertEquals(medium(expected), removed.medium(), name);
      assertEquals(expected.path("group_idx").asInt(0), removed.group(), name);
    } else {
      assertEquals("AllBlocksCleared", expected.path("type").asText(), name);
    }
  }

  private static void check(String name, JsonNode expected, ExtraKeys keys) {
    for (int i = 0; i < expected.size(); i++) {
      List<String> texts =
          StreamSupport.stream(expected.get(i).spliterator(), false).map(JsonNode::asText).toList();
      assertEquals(texts, keys == null ? List.of() : keys.of(i), name);
    }
  }

  private static String medium(JsonNode event) {
    return event.path("medium").asText("gpu").toLowerCase(Locale.ROOT).replace("null", "gpu");
  }

  private static long[] hashes(JsonNode event) {
    return StreamSupport.stream(event.path("block_hashes").spliterator(), false)
        .mapToLong(KnownFramesTest::hash)
        .toArray();
  }

  private static long hash(JsonNode text) {
    return new BigInteger(text.asText()).longValue();
  }
}
