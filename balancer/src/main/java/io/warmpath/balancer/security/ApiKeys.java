package io.warmpath.balancer.security;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys that clients may use, by their hashes, and whose they are. Safe for concurrent use.
 *
 * <p>A file of keys has a line for each: a name and {@code sha256:} with 64 hex digits. A name may
 * have several keys, so that one can be replaced by the next. Empty lines and those that begin with
 * {@code #} count for nothing.
 */
public final class ApiKeys {

  /** No key is needed. */
  public static final ApiKeys OPEN = new ApiKeys(List.of());

  private static final Pattern LINE =
      Pattern.compile("([A-Za-z0-9._-]{1,64})\\s+sha256:([0-9a-fA-F]{64})");

  private record Key(String holder, Secret secret) {}

  private final List<Key> keys;

  private ApiKeys(List<Key> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * Reads the text of a file of keys.
   *
   * @throws IllegalArgumentException if a line is none of these or no key is there; the message
   *     names the line and quotes nothing of it
   */
  public static ApiKeys parse(String text) {
    List<Key> keys = new ArrayList<>();
    Set<String> hashes = new HashSet<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        throw new IllegalArgumentException(
            "line " + (i + 1) + " must be a name and sha256: with 64 hex digits");
      }
      byte[] hash = HexFormat.of().parseHex(parts.group(2));
      if (!hashes.add(HexFormat.of().formatHex(hash))) {
        throw new IllegalArgumentException("line " + (i + 1) + " has a key that is there already");
      }
      keys.add(new Key(parts.group(1), Secret.withHash(hash)));
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("there is no key in it, so that nobody could be served");
    }
    return new ApiKeys(keys);
  }

  /** Whether anybody may come. */
  public boolean open() {
    return keys.isEmpty();
  }

  /**
   * Whose key an {@code Authorization} header bears, null if nobody's. Compares with all keys, so
   * that the time says nothing of which one it was.
   */
  public String holder(String authorization) {
    String token = Secret.token(authorization);
    if (token == null) {
      return null;
    }
    byte[] hash = Secret.hash(token);
    String holder = null;
    for (Key key : keys) {
      if (key.secret().hasHash(hash)) {
        holder = key.holder();
      }
    }
    return holder;
  }

  @Override
  public String toString() {
    return "ApiKeys[" + keys.size() + "]";
  }
}
