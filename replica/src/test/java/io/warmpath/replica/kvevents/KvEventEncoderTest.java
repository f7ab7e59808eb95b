package io.warmpath.replica.kvevents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The golden batches were written with Python's msgpack, from the fields of vLLM's structs. */
class KvEventEncoderTest {

  private static final long TIME_MS = 1_796_083_200_125L;

  private static final List<KvEvent> EVENTS =
      List.of(
          new KvEvent.BlockStored(new long[] {0xa1, 2}, null, new int[] {0, 127, 128, -1}),
          new KvEvent.BlockRemoved(2),
          new KvEvent.AllBlocksCleared());

  private static final String STORED_MAP_HEAD =
      "8ba474797065ab426c6f636b53746f726564ac626c6f636b5f686173686573";
  private static final String STORED_MAP_TAIL =
      "b1706172656e745f626c6f636b5f68617368c0a9746f6b656e5f69647394007fcc80ceffffffff"
          + "aa626c6f636b5f73697a6502a76c6f72615f6964c0a66d656469756da3475055"
          + "a96c6f72615f6e616d65c0aa65787472615f6b65797392c0c0a967726f75705f69647800"
          + "b26b765f63616368655f737065635f6b696e64ae66756c6c5f617474656e74696f6e";
  private static final String REMOVED_MAP_HEAD =
      "84a474797065ac426c6f636b52656d6f766564ac626c6f636b5f68617368657391";
  private static final String REMOVED_MAP_TAIL = "a66d656469756da3475055a967726f75705f69647800";
  private static final String CLEARED_MAP = "81a474797065b0416c6c426c6f636b73436c6561726564";

  @Test
  void arraysAsOlderReleasesWriteThem() {
    assertEquals(
        "93cb41dac38380080000939cab426c6f636b53746f72656492cfa1a1a1a1a1a1a1a1cf0202020202020202"
            + "c094007fcc80ceffffffff02c0a3475055c092c0c000ae66756c6c5f617474656e74696f6ec0"
            + "94ac426c6f636b52656d6f76656491cf0202020202020202a347505500"
            + "91b0416c6c426c6f636b73436c656172656400",
        encoded(KvEventEncoding.ARRAY, BlockHashForm.INT));
  }

  @Test
  void mapsInAnArray() {
    assertEquals(
        "93cb41dac3838008000093"
            + STORED_MAP_HEAD
            + "92cfa1a1a1a1a1a1a1a1cf0202020202020202"
            + STORED_MAP_TAIL
            + REMOVED_MAP_HEAD
            + "cf0202020202020202"
            + REMOVED_MAP_TAIL
            + CLEARED_MAP
            + "00",
        encoded(KvEventEncoding.MIXED, BlockHashForm.INT));
  }

  @Test
  void mapsInAMapWithHashesOf32Bytes() {
    assertEquals(
        "83a27473cb41dac38380080000a66576656e747393"
            + STORED_MAP_HEAD
            + "92c420"
            + "a1".repeat(32)
            + "c420"
            + "02".repeat(32)
            + STORED_MAP_TAIL
            + REMOVED_MAP_HEAD
            + "c420"
            + "02".repeat(32)
            + REMOVED_MAP_TAIL
            + CLEARED_MAP
            + "b2646174615f706172616c6c656c5f72616e6b00",
        encoded(KvEventEncoding.MAP, BlockHashForm.BYTES));
  }

  @Test
  void parentIsTheBlockBefore() {
    KvEvent stored = new KvEvent.BlockStored(new long[] {2}, 7L, new int[] {0, 1});
    String batch = encoded(KvEventEncoding.ARRAY, BlockHashForm.INT, 2, List.of(stored));
    assertEquals(
        "93cb41dac38380080000919cab426c6f636b53746f72656491cf0202020202020202cf0707070707070707"
            + "92000102c0a3475055c091c000ae66756c6c5f617474656e74696f6ec000",
        batch);
  }

  /** But for its time, which is finer than ours. */
  @Test
  void frameOfALiveEngineComesOutAgain() throws IOException {
    Path vectors = Path.of("../../shared/data/kvevents/vectors.json");
    assumeTrue(Files.exists(vectors), "no ../shared/data/kvevents beside this checkout");
    JsonNode captured =
        StreamSupport.stream(new ObjectMapper().readTree(vectors.toFile()).spliterator(), false)
            .filter(
                v -> v.at("/name").asText().equals("vllm-0.26.0-captured-array-batch-map-event"))
            .findFirst()
            .orElseThrow();
    JsonNode event = captured.at("/expect/events/0");
    int[] tokens =
        StreamSupport.stream(event.at("/token_ids").spliterator(), false)
            .mapToInt(JsonNode::asInt)
            .toArray();
    long hash = new BigInteger(event.at("/block_hashes/0").asText()).longValue();
    byte[] bytes =
        new KvEventEncoder(KvEventEncoding.MIXED, BlockHashForm.INT, tokens.length)
            .encode(
                0,
                List.of(new KvEvent.BlockStored(new long[] {1}, null, tokens)),
                ignored -> ByteBuffer.allocate(32).putLong(24, hash).array());
    assertEquals(
        captured.at("/payload_hex").asText().substring(2 * 10),
        HexFormat.of().formatHex(bytes, 10, bytes.length));
  }

  private static String encoded(KvEventEncoding encoding, BlockHashForm form) {
    return encoded(encoding, form, 2, EVENTS);
  }

  private static String encoded(
      KvEventEncoding encoding, BlockHashForm form, int blockTokens, List<KvEvent> events) {
    KvEventEncoder encoder = new KvEventEncoder(encoding, form, blockTokens);
    return HexFormat.of().formatHex(encoder.encode(TIME_MS, events, KvEventEncoderTest::repeated));
  }

  private static byte[] repeated(long hash) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) hash);
    return bytes;
  }
}
