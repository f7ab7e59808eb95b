package io.warmpath.balancer.prompt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.warmpath.balancer.prompt.ConversationMemory.Past;
import io.warmpath.routing.prompt.QuadTokenizer;
import io.warmpath.routing.prompt.TokenBuffer;
import io.warmpath.routing.prompt.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConversationMemoryTest {

  private static final int BLOCK = 16;
  private static final long PLENTY_BYTES = 1 << 24;

  private final CountingTokenizer tokenizer = new CountingTokenizer();
  private final PromptEncoder remembering = encoder(PLENTY_BYTES);
  private final PromptEncoder forgetful = encoder(0);

  @Test
  void aGrowingConversationIsTokenizedFromItsNewPartOn() {
    List<ChatMessage> messages = new ArrayList<>(List.of(message("user", 50_000)));
    encode(remembering, messages);
    messages.add(message("assistant", 300));
    messages.add(message("user", 100));

    tokenizer.chars = 0;
    PromptBlocks grown = encode(remembering, messages);

    assertEquals(
        "<|im_start|>assistant\n".length()
            + "<|im_start|>user\n".length()
            + 2 * "<|im_end|>\n".length()
            + 400
            + "<|im_start|>assistant\n".length(),
        tokenizer.chars);
    assertSame(encode(forgetful, messages), grown);
  }

  @Test
  void otherQuestionsAboutTheSameTextShareIt() {
    ChatMessage text = message("system", 50_000);
    encode(remembering, List.of(text, message("user", 100)));

    tokenizer.chars = 0;
    List<ChatMessage> other = List.of(text, message("user", 200));
    PromptBlocks encoded = encode(remembering, other);

    assertEquals(
        "<|im_start|>user\n".length()
            + 200
            + "<|im_end|>\n".length()
            + "<|im_start|>assistant\n".length(),
        tokenizer.chars);
    assertSame(encode(forgetful, other), encoded);
  }

  /** Conversations that grow, branch, come again and begin alike, in any order. */
  @Test
  void whatIsRememberedChangesNoPrompt() {
    PromptEncoder scarce = encoder(64 << 10);
    Random random = new Random(1);
    List<List<ChatMessage>> conversations = new ArrayList<>();
    conversations.add(List.of());
    for (int i = 0; i < 2_000; i++) {
      List<ChatMessage> from = conversations.get(random.nextInt(conversations.size()));
      List<ChatMessage> next = new ArrayList<>(from.subList(0, random.nextInt(from.size() + 1)));
      for (int more = 1 + random.nextInt(3); more > 0; more--) {
        next.add(message(random.nextBoolean() ? "user" : "assistant", random.nextInt(3_000)));
      }
      conversations.add(next);
      PromptBlocks expected = encode(forgetful, next);
      assertSame(expected, encode(remembering, next));
      assertSame(expected, encode(scarce, next));
      assertSame(expected, encode(remembering, next));
    }
  }

  @Test
  void tenantsAndRolesAreKeptApart() {
    ConversationMemory memory = new ConversationMemory(PLENTY_BYTES);
    ChatMessage user = new ChatMessage("user", "a");
    HashValue128 key = memory.keys("", List.of(user))[0];
    memory.put(key, new Past(new long[] {1}, 1, new int[0]));

    assertNotNull(memory.get(memory.keys("", List.of(user, user))[0]));
    assertNull(memory.get(memory.keys("tenant", List.of(user))[0]));
    assertNull(memory.get(memory.keys("", List.of(new ChatMessage("system", "a")))[0]));
    assertNull(memory.get(memory.keys("", List.of(new ChatMessage("use", "ra")))[0]));
    assertNull(memory.get(memory.keys("", List.of(user, user))[1]));
  }

  @Test
  void theLeastRecentlyUsedLeave() {
    ConversationMemory memory = new ConversationMemory(3 * 1_100 * Long.BYTES);
    HashValue128[] keys = new HashValue128[4];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = memory.keys("", List.of(new ChatMessage("user", "m" + i)))[0];
      memory.put(keys[i], new Past(new long[1_000], 1_000, new int[0]));
      memory.get(keys[0]);
    }

    assertNotNull(memory.get(keys[0]));
    assertNull(memory.get(keys[1]));
    assertNotNull(memory.get(keys[2]));
    assertNotNull(memory.get(keys[3]));
  }

  private PromptEncoder encoder(long memoryBytes) {
    return new PromptEncoder(tokenizer, true, BLOCK, new ConversationMemory(memoryBytes));
  }

  private static PromptBlocks encode(PromptEncoder encoder, List<ChatMessage> messages) {
    return encoder.encode(new Prompt.Chat(messages, true, true), "");
  }

  private static ChatMessage message(String role, int chars) {
    return new ChatMessage(
        role, "é".repeat(chars / 2) + "x y ".repeat(chars / 8 + 1).substring(0, chars - chars / 2));
  }

  private static void assertSame(PromptBlocks expected, PromptBlocks actual) {
    assertEquals(expected.tokens(), actual.tokens());
    assertArrayEquals(expected.hashes(), actual.hashes());
  }

  private static final class CountingTokenizer implements Tokenizer {

    private final Tokenizer quad = new QuadTokenizer();
    private long chars;

    @Override
    public String name() {
      return quad.name();
    }

    @Override
    public void encode(String text, TokenBuffer out) {
      chars += text.length();
      quad.encode(text, out);
    }

    @Override
    public String decode(int[] tokens, int from, int to) {
      return quad.decode(tokens, from, to);
    }
  }
}
