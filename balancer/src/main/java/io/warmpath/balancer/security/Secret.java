package io.warmpath.balancer.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A text that others must know, kept as its SHA-256 only: keys and tokens are long and random, so
 * that a slow hash would protect nothing more.
 */
public final class Secret {

  private static final String BEARER = "Bearer ";

  private final byte[] sha256;

  private Secret(byte[] sha256) {
    this.sha256 = sha256;
  }

  /** The secret that this text is. */
  public static Secret of(String text) {
    return new Secret(hash(text));
  }

  /** The secret with this SHA-256, 32 bytes. */
  static Secret withHash(byte[] sha256) {
    return new Secret(sha256.clone());
  }

  /** Whether a text of this hash is the secret; takes the same time whatever it is. */
  boolean hasHash(byte[] hash) {
    return MessageDigest.isEqual(sha256, hash);
  }

  /** Whether an {@code Authorization} header bears the secret; null for no header. */
  public boolean isIn(String authorization) {
    String token = token(authorization);
    return token != null && hasHash(hash(token));
  }

  /** What an {@code Authorization: Bearer} header bears, or null. */
  static String token(String authorization) {
    boolean bearer =
        authorization != null
            && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
            && authorization.length() > BEARER.length();
    return bearer ? authorization.substring(BEARER.length()).trim() : null;
  }

  static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return "Secret";
  }
}
