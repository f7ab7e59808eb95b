package io.warmpath.routing.prefix;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Chained hashes of the full blocks of a prompt, so that equal hashes mean equal prefixes:
 *
 * <pre>
 * root = XXH3_64(utf8(salt) ‖ 0x00 ‖ utf8(lora) ‖ 0x00)
 * h_i  = XXH3_64(LE64(h_{i−1}) ‖ LE32(token) … of block i),  h_0's predecessor is the root
 * </pre>
 *
 * with seed 0. A tail that does not fill a block has no hash. A prompt that grew is continued from
 * its last hash. Immutable and safe for concurrent use.
 */
public final class PrefixHasher {

  private static final Hasher64 XXH3 = Hashing.xxh3_64();
  private static final VarHandle LE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Blocks of more tokens than this are taken for a mistake. */
  public static final int MAX_BLOCK_TOKENS = 1 << 16;

  /** Tokens are laid out as bytes so many at a time: one copy costs as much as a loop over few. */
  private static final int CHUNK_BYTES = 1 << 12;

  /** Root of most prompts. */
  private static final long PLAIN_ROOT = hashedRoot("", "");

  private final int blockTokens;

  /**
   * @param blockTokens tokens a block, 1 to {@link #MAX_BLOCK_TOKENS}
   */
  public PrefixHasher(int blockTokens) {
    if (blockTokens < 1 || blockTokens > MAX_BLOCK_TOKENS) {
      throw new IllegalArgumentException(
          "block_tokens must be 1 to " + MAX_BLOCK_TOKENS + ": " + blockTokens);
    }
    this.blockTokens = blockTokens;
  }

  /** Tokens a block. */
  public int blockTokens() {
    return blockTokens;
  }

  /**
   * Where the chain of all prompts with this salt and LoRA adapter starts.
   *
   * @param salt keeps the caches of tenants apart; empty for none
   * @param lora name of the adapter; empty for none
   */
  public static long root(String salt, String lora) {
    return salt.isEmpty() && lora.isEmpty() ? PLAIN_ROOT : hashedRoot(salt, lora);
  }

  private static long hashedRoot(String salt, String lora) {
    byte[] saltBytes = salt.getBytes(StandardCharsets.UTF_8);
    byte[] loraBytes = lora.getBytes(StandardCharsets.UTF_8);
    byte[] input = new byte[saltBytes.length + loraBytes.length + 2];
    System.arraycopy(saltBytes, 0, input, 0, saltBytes.length);
    System.arraycopy(loraBytes, 0, input, saltBytes.length + 1, loraBytes.length);
    return XXH3.hashBytesToLong(input);
  }

  /** Full blocks in so many tokens. */
  public int fullBlocks(int tokens) {
    return tokens / blockTokens;
  }

  /**
   * Hashes of the full blocks in {@code tokens[from, to)}.
   *
   * @param previous hash of the block before, or the {@link #root}
   */
  public long[] hash(long previous, int[] tokens, int from, int to) {
    long[] hashes = new long[fullBlocks(to - from)];
    hash(previous, tokens, from, to, hashes, 0);
    return hashes;
  }

  /**
   * Writes the hashes of the full blocks in {@code tokens[from, to)} to {@code out}.
   *
   * @param previous hash of the block before, or the {@link #root}
   * @param outFrom index of the first hash written
   * @return number of hashes written
   */
  public int hash(long previous, int[] tokens, int from, int to, long[] out, int outFrom) {
    int blocks = fullBlocks(to - from);
    int blockBytes = Integer.BYTES * blockTokens;
    int most = Math.max(1, Math.min(blocks, CHUNK_BYTES / blockBytes));
    byte[] bytes = new byte[Long.BYTES + most * blockBytes];
    IntBuffer tokensOfChunk =
        ByteBuffer.wrap(bytes, Long.BYTES, most * blockBytes)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asIntBuffer();
    long hash = previous;
    for (int block = 0; block < blocks; block++) {
      int inChunk = block % most;
      if (inChunk == 0) {
        int chunk = Math.min(most, blocks - block);
        tokensOfChunk.put(0, tokens, from + block * blockTokens, chunk * blockTokens);
      }
      // Stands where the last tokens of the block before did, which are in it.
      LE_LONG.set(bytes, inChunk * blockBytes, hash);
      hash = XXH3.hashBytesToLong(bytes, inChunk * blockBytes, Long.BYTES + blockBytes);
      out[outFrom + block] = hash;
    }
    return blocks;
  }
}
