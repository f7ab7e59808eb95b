package io.warmpath.replica.kvevents;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class EngineHashesTest {

  @Test
  void sameBlockHasTheSameHashWithinOneLife() {
    EngineHashes hashes = EngineHashes.fresh();
    assertArrayEquals(hashes.of(42), hashes.of(42));
    assertFalse(Arrays.equals(hashes.of(42), hashes.of(43)));
  }

  @Test
  void nextLifeHasOthers() {
    assertFalse(Arrays.equals(EngineHashes.fresh().of(42), EngineHashes.fresh().of(42)));
  }

  /** {@code printf '\1\0\0\0\0\0\0\0\2' | sha256sum}: seed, then the hash in big-endian order. */
  @Test
  void isSha256OfSeedAndHash() {
    byte[] hash = new EngineHashes(new byte[] {1}).of(2);
    assertEquals(
        "9f85fc3e37e6c331b872a92844a8199d4467e717b46210e66dee85d49977aa89",
        HexFormat.of().formatHex(hash));
  }
}
