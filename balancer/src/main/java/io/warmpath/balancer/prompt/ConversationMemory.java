package io.warmpath.balancer.prompt;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How far conversations have been tokenized and hashed, so that one that grew is continued. It
 * knows them by 128-bit hashes of their messages, with a seed of its own: no text is kept. The
 * least recently used leave when it is full. Safe for concurrent use.
 */
final class ConversationMemory {

  /**
   * A conversation up to the end of some message.
   *
   * @param hashes chained hashes, of which the first {@code blocks} are this conversation's
   * @param blocks its full blocks
   * @param tail tokens after the last full block
   */
  record Past(long[] hashes, int blocks, int[] tail) {

    /** Stands for what the memory keeps beside the hashes. */
    private static final int OVERHEAD_LONGS = 16;

    private long longs() {
      return OVERHEAD_LONGS + hashes.length + tail.length / 2L;
    }
  }

  private final Hasher128 hasher = Hashing.xxh3_128(ThreadLocalRandom.current().nextLong());
  private final HashedMemory<Past> known;

  /**
   * @param mostBytes memory at most
   */
  ConversationMemory(long mostBytes) {
    known = new HashedMemory<>(mostBytes, past -> Long.BYTES * past.longs());
  }

  /** Keys of a conversation up to the end of each message. */
  HashValue128[] keys(String salt, List<ChatMessage> messages) {
    HashValue128[] keys = new HashValue128[messages.size()];
    HashStream128 stream = hasher.hashStream();
    HashValue128 before = put(stream, salt).get();
    for (int i = 0; i < keys.length; i++) {
      ChatMessage message = messages.get(i);
      stream
          .reset()
          .putLong(before.getMostSignificantBits())
          .putLong(before.getLeastSignificantBits());
      put(put(stream, message.role()), message.content());
      before = stream.get();
      keys[i] = before;
    }
    return keys;
  }

  /** As bytes with their length, which is several times faster than char by char. */
  private static HashStream128 put(HashStream128 stream, String text) {
    return stream.putByteArray(text.getBytes(StandardCharsets.UTF_8));
  }

  /** What is known of a conversation; null if nothing. */
  Past get(HashValue128 key) {
    return known.get(key);
  }

  /** Remembers a conversation, whose arrays nobody may change any more. */
  void put(HashValue128 key, Past past) {
    known.put(key, past);
  }
}
