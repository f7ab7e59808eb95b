package io.warmpath.balancer.prompt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.routing.prefix.PrefixHasher;
import io.warmpath.routing.prompt.QuadTokenizer;
import io.warmpath.routing.prompt.TokenBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromptEncoderTest {

  private static final int BLOCK = 4;

  private final PromptEncoder quad = new PromptEncoder(TokenizerKind.QUAD, BLOCK);
  private final PromptEncoder bytes = new PromptEncoder(TokenizerKind.BYTES, BLOCK);

  @Test
  void hashesFullBlocksOfTokenIds() {
    PromptBlocks blocks = quad.encode(tokens(1, 2, 3, 4, 5, 6, 7, 8, 9), "");
    long[] expected =
        new PrefixHasher(BLOCK)
            .hash(PrefixHasher.root("", ""), new int[] {1, 2, 3, 4, 5, 6, 7, 8}, 0, 8);
    assertArrayEquals(expected, blocks.hashes());
    assertEquals(9, blocks.tokens());
    assertTrue(blocks.exact());
  }

  @Test
  void countsTextsAsTheReplicaDoes() {
    TokenBuffer tokens = new TokenBuffer();
    new QuadTokenizer().encode("why is the sky blue", tokens);
    PromptBlocks blocks = quad.encode(new Prompt.Texts(List.of("why is the sky blue")), "");
    assertEquals(tokens.size(), blocks.tokens());
    assertArrayEquals(quad.encode(tokens(tokens.toArray()), "").hashes(), blocks.hashes());
  }

  @Test
  void keepsTheHashesOfAGrowingConversation() {
    ChatMessage first = new ChatMessage("user", "a long first message that fills blocks");
    PromptBlocks before = quad.encode(new Prompt.Chat(List.of(first), true, true), "");
    PromptBlocks after =
        quad.encode(
            new Prompt.Chat(
                List.of(first, new ChatMessage("assistant", "yes"), new ChatMessage("user", "b")),
                true,
                true),
            "");
    // The opening of the answer is part of both.
    assertArrayEquals(before.hashes(), Arrays.copyOf(after.hashes(), before.blocks()));
    assertTrue(after.blocks() > before.blocks());
  }

  @Test
  void countsAllPromptsAndHashesTheFirst() {
    PromptBlocks both =
        quad.encode(new Prompt.Tokens(List.of(new int[] {1, 2, 3, 4}, new int[] {5, 6})), "");
    assertEquals(6, both.tokens());
    assertArrayEquals(quad.encode(tokens(1, 2, 3, 4), "").hashes(), both.hashes());
  }

  @Test
  void keepsApproximationsAndSaltsApart() {
    Prompt prompt = new Prompt.Texts(List.of("abcdefghijklmnop"));
    PromptBlocks exact = quad.encode(prompt, "");
    PromptBlocks approximate = bytes.encode(prompt, "");
    assertEquals(exact.tokens(), approximate.tokens());
    assertFalse(approximate.exact());
    assertNotEquals(exact.hashes()[0], approximate.hashes()[0]);
    assertNotEquals(exact.hashes()[0], quad.encode(prompt, "tenant").hashes()[0]);
  }

  @Test
  void isNotExactWhereThereIsMoreThanText() {
    ChatMessage message = new ChatMessage("user", "look");
    assertFalse(quad.encode(new Prompt.Chat(List.of(message), false, true), "").exact());
  }

  @Test
  void neverCreditsTheLastToken() {
    PromptBlocks blocks = quad.encode(tokens(1, 2, 3, 4, 5, 6, 7, 8), "");
    assertEquals(0, blocks.cachedTokens(0));
    assertEquals(4, blocks.cachedTokens(1));
    assertEquals(7, blocks.cachedTokens(2));
    assertEquals(0, quad.encode(new Prompt.Texts(List.of()), "").cachedTokens(0));
  }

  private static Prompt tokens(int... ids) {
    return new Prompt.Tokens(List.of(ids));
  }
}
