package io.warmpath.balancer.sse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CompletionJsonPropertyTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CHUNK =
      "{\"id\":\"a\\\"b\\\\\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"é\",\"tool_calls\":[{}]},"
          + "\"finish_reason\":null}],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3,"
          + "\"prompt_tokens_details\":{\"cached_tokens\":8}},\"error\":null}";

  /** Whatever an engine sends: no exception, no endless loop. */
  @Property(tries = 2000)
  void survivesMutations(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int mutations) {
    byte[] bytes = CHUNK.getBytes(StandardCharsets.UTF_8);
    Random random = new Random(seed);
    String alphabet = "{}[]\",:\\ 0e\n";
    for (int i = 0; i < mutations; i++) {
      bytes[random.nextInt(bytes.length)] =
          (byte) alphabet.charAt(random.nextInt(alphabet.length()));
    }
    int to = 1 + random.nextInt(bytes.length);
    new CompletionJson().read(bytes, 0, to);
  }

  @Property(tries = 1000)
  void survivesAnyBytes(@ForAll @Size(max = 60) byte[] bytes) {
    new CompletionJson().read(bytes, 0, bytes.length);
  }

  /** Space and the order of fields change nothing. */
  @Property(tries = 20)
  void readsTheSameHoweverItIsWritten(@ForAll boolean pretty) throws IOException {
    JsonNode tree = JSON.readTree(CHUNK);
    String text = pretty ? tree.toPrettyString() : tree.toString();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    CompletionJson chunk = new CompletionJson();
    chunk.read(bytes, 0, bytes.length);
    assertEquals(new TokenUsage(12L, 3L, 8L), chunk.usage());
    assertTrue(chunk.token() && chunk.content() && chunk.readable());
    assertFalse(chunk.error() || chunk.usageOnly());
  }
}
