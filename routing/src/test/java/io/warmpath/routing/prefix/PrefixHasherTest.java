package io.warmpath.routing.prefix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.dynatrace.hash4j.hashing.Hashing;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.codec.Codecs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class PrefixHasherTest {

  /** The vectors were computed with two libraries that agree. */
  @TestFactory
  List<DynamicTest> goldenVectors() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (InputStream in = Codecs.class.getResourceAsStream("/vectors/prefix-hashes.json")) {
      for (JsonNode vector : new ObjectMapper().readTree(in).get("vectors")) {
        tests.add(DynamicTest.dynamicTest("vector " + tests.size(), () -> assertMatches(vector)));
      }
    }
    return tests;
  }

  private static void assertMatches(JsonNode vector) {
    long root = PrefixHasher.root(vector.get("salt").asText(), vector.get("lora").asText());
    assertEquals(hash(vector.get("root")), root);
    int[] tokens = new int[vector.get("tokens").size()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = (int) vector.get("tokens").get(i).asLong();
    }
    long[] expected = new long[vector.get("hashes").size()];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = hash(vector.get("hashes").get(i));
    }
    PrefixHasher hasher = new PrefixHasher(vector.get("block_tokens").asInt());
    assertArrayEquals(expected, hasher.hash(root, tokens, 0, tokens.length));
  }

  private static long hash(JsonNode digits) {
    return Long.parseUnsignedLong(digits.asText(), 16);
  }

  @Property(tries = 200)
  void aGrownPromptContinuesFromItsLastHash(
      @ForAll @Size(max = 200) int[] tokens,
      @ForAll @IntRange(min = 1, max = 20) int blockTokens,
      @ForAll @IntRange(max = 200) int cut) {
    PrefixHasher hasher = new PrefixHasher(blockTokens);
    long root = PrefixHasher.root("", "");
    long[] whole = hasher.hash(root, tokens, 0, tokens.length);
    int blocks = hasher.fullBlocks(Math.min(cut, tokens.length));
    long[] grown = Arrays.copyOf(whole, whole.length);
    Arrays.fill(grown, 0);
    hasher.hash(root, tokens, 0, blocks * blockTokens, grown, 0);
    long last = blocks == 0 ? root : grown[blocks - 1];
    hasher.hash(last, tokens, blocks * blockTokens, tokens.length, grown, blocks);
    assertArrayEquals(whole, grown);
  }

  @Test
  void saltAndLoraAreKeptApart() {
    assertEquals(
        4,
        List.of(
                PrefixHasher.root("", ""),
                PrefixHasher.root("a", ""),
                PrefixHasher.root("", "a"),
                PrefixHasher.root("a", "a"))
            .stream()
            .distinct()
            .count());
  }

  @Test
  void aBlockHasAtLeastOneToken() {
    assertThrows(IllegalArgumentException.class, () -> new PrefixHasher(0));
  }

  @Test
  void theSampleHoldsItsShareOfTheBlocks() {
    int[] tokens = new int[16 * 20_000];
    Arrays.setAll(tokens, i -> i);
    long[] hashes = new PrefixHasher(16).hash(0, tokens, 0, tokens.length);
    assertEquals(hashes.length, BlockSample.of(hashes, hashes.length, 1).size());
    assertEquals(HashList.of(hashes[0]), BlockSample.of(hashes, hashes.length, 0));
    assertEquals(2_000, BlockSample.of(hashes, hashes.length, 0.1).size(), 150);
  }

  @Property(tries = 500)
  void blocksOfEveryLengthAreHashedAsTheLibraryHashesTheirBytes(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 300) int blockTokens) {
    Random random = new Random(seed);
    int[] tokens = random.ints(3L * blockTokens + random.nextInt(blockTokens)).toArray();
    long previous = random.nextLong();

    long[] hashes = new PrefixHasher(blockTokens).hash(previous, tokens, 0, tokens.length);

    assertEquals(3, hashes.length);
    for (int block = 0; block < 3; block++) {
      ByteBuffer bytes = ByteBuffer.allocate(8 + 4 * blockTokens).order(ByteOrder.LITTLE_ENDIAN);
      bytes.putLong(previous);
      for (int i = 0; i < blockTokens; i++) {
        bytes.putInt(tokens[block * blockTokens + i]);
      }
      previous = Hashing.xxh3_64().hashBytesToLong(bytes.array());
      assertEquals(previous, hashes[block]);
    }
  }
}
