package io.warmpath.balancer.tokenize;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import io.warmpath.balancer.prompt.HashedMemory;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.request.PromptParts;
import io.warmpath.balancer.request.PromptParts.Slice;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The prompts whose tokens an engine told, by 128-bit hashes with a seed of its own: neither text
 * nor tokens are kept. Safe for concurrent use.
 */
final class KnownPrompts {

  /** Stands for what is kept beside the hashes. */
  private static final long OVERHEAD_BYTES = 160;

  private final Hasher128 hasher = Hashing.xxh3_128(ThreadLocalRandom.current().nextLong());
  private final HashedMemory<PromptBlocks> known;

  /**
   * @param mostBytes memory at most
   */
  KnownPrompts(long mostBytes) {
    known =
        new HashedMemory<>(
            mostBytes, blocks -> OVERHEAD_BYTES + (long) Long.BYTES * blocks.blocks());
  }

  /**
   * Keys of a prompt: the last one is that of all of it, those before it are a chat's up to the end
   * of each message, with all that is beside the messages.
   */
  HashValue128[] keys(PromptParts parts, String salt) {
    HashStream128 stream = hasher.hashStream().putString(salt);
    for (Map.Entry<String, Slice> field : parts.fields().entrySet()) {
      if (!field.getKey().equals(PromptParts.MESSAGES)) {
        stream.putString(field.getKey());
        put(stream, parts, field.getValue());
      }
    }
    HashValue128 before = stream.get();
    int messages = parts.messages().size();
    HashValue128[] keys = new HashValue128[Math.max(1, messages)];
    keys[0] = before;
    for (int i = 0; i < messages; i++) {
      stream
          .reset()
          .putLong(before.getMostSignificantBits())
          .putLong(before.getLeastSignificantBits());
      put(stream, parts, parts.messages().get(i));
      before = stream.get();
      keys[i] = before;
    }
    return keys;
  }

  private static void put(HashStream128 stream, PromptParts parts, Slice slice) {
    stream.putBytes(parts.body(), slice.from(), slice.length()).putInt(slice.length());
  }

  /** What the engine said of a prompt; null if nothing. */
  PromptBlocks get(HashValue128 key) {
    return known.get(key);
  }

  void put(HashValue128 key, PromptBlocks blocks) {
    known.put(key, blocks);
  }
}
