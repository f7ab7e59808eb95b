package io.warmpath.replica.kvevents;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * The block hashes of one life of an engine, as a vLLM with a random hash seed has them: 32 bytes
 * that say nothing to others, and are new ones after each start.
 */
final class EngineHashes {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 32;

  private final MessageDigest sha256;
  private final byte[] seed;
  private final ByteBuffer hash = ByteBuffer.allocate(Long.BYTES);

  EngineHashes(byte[] seed) {
    this.seed = seed.clone();
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Those of an engine that starts now. */
  static EngineHashes fresh() {
    byte[] seed = new byte[BYTES];
    RANDOM.nextBytes(seed);
    return new EngineHashes(seed);
  }

  /** The engine's hash of the block that has this chained hash. One thread only. */
  byte[] of(long blockHash) {
    sha256.update(seed);
    return sha256.digest(hash.putLong(0, blockHash).array());
  }
}
