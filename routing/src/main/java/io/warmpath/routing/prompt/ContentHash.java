package io.warmpath.routing.prompt;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;

/** 64-bit hash of a text: stands for a session or a conversation in place of its content. */
public final class ContentHash {

  private static final Hasher64 XXH3 = Hashing.xxh3_64();

  private ContentHash() {}

  /** XXH3-64 of the text's UTF-8, with 1 in place of 0: 0 means that there is no text. */
  public static long of(String text) {
    long hash = XXH3.hashBytesToLong(text.getBytes(StandardCharsets.UTF_8));
    return hash == 0 ? 1 : hash;
  }
}
