package io.warmpath.balancer.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeysTest {

  /** {@code printf %s secret-1 | sha256sum}. */
  private static final String HASH =
      "f7e7c36e458e80e6b6a2c67d0a9ec09bd718dadd7bfa8d6bf6e7ad526e46c2f7";

  private final ApiKeys keys =
      ApiKeys.parse(
          "# who may come\n\nteam-a sha256:"
              + hash("secret-a")
              + "\n"
              + "team-a sha256:"
              + hash("secret-a2")
              + "\n  team-b\tsha256:"
              + hash("secret-b"));

  @Test
  void knowsWhoseAKeyIs() {
    assertEquals("team-a", keys.holder("Bearer secret-a"));
    assertEquals("team-a", keys.holder("bearer secret-a2"));
    assertEquals("team-b", keys.holder("Bearer secret-b "));
    assertFalse(keys.open());
    assertTrue(ApiKeys.OPEN.open());
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        "secret-a",
        "Basic secret-a",
        "Bearer secret"
      })
  void knowsNobodyElse(String authorization) {
    assertNull(keys.holder(authorization));
  }

  @Test
  void takesTheHashThatTheUsualToolMakes() {
    assertEquals("a", ApiKeys.parse("a sha256:" + HASH).holder("Bearer secret-1"));
  }

  @Test
  void namesTheLineOfAFaultAndQuotesNothingOfIt() {
    assertRefused("# x\nteam-a secret-a\n", "line 2 must be a name and sha256:");
    assertRefused("team-a sha256:abc\n", "line 1 must be");
    String line = "a sha256:" + hash("k") + "\n";
    assertRefused(line + line.toUpperCase().replace("SHA", "sha"), "line 2 has a key that is");
    assertRefused("# nothing\n", "there is no key in it");
  }

  private static void assertRefused(String text, String message) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> ApiKeys.parse(text));
    assertTrue(refused.getMessage().startsWith(message), refused.getMessage());
    assertFalse(refused.getMessage().contains("secret"), refused.getMessage());
  }

  private static String hash(String key) {
    return HexFormat.of().formatHex(Secret.hash(key));
  }
}
