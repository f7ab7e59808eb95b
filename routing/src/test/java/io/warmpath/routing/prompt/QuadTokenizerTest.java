package io.warmpath.routing.prompt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class QuadTokenizerTest {

  private final QuadTokenizer tokenizer = new QuadTokenizer();

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ofMaxLength(60),
        Arbitraries.strings().withChars("ab \n\0é€𝄞".toCharArray()).ofMaxLength(60));
  }

  @Property
  void tokensSurviveDecodingAndEncoding(@ForAll("texts") String text) {
    int[] tokens = encode(text);
    assertArrayEquals(tokens, encode(tokenizer.decode(tokens, 0, tokens.length)));
  }

  @Property
  void wellFormedTextIsLostNowhere(@ForAll("texts") String text) {
    String wellFormed = text.replaceAll("[\\ud800-\\udfff]", "?");
    int[] tokens = encode(wellFormed);
    assertEquals(wellFormed, tokenizer.decode(tokens, 0, tokens.length));
  }

  @Property
  void tokensStayWhenTextFollowsAfterALineBreakOrASpace(
      @ForAll("texts") String text, @ForAll("texts") String more) {
    assertStartsWith(encode(text + "\n"), encode(text + "\n" + more));
    assertStartsWith(encode(text), encode(text + " " + more));
  }

  private static void assertStartsWith(int[] prefix, int[] tokens) {
    assertArrayEquals(prefix, Arrays.copyOf(tokens, prefix.length));
  }

  @Test
  void aTokenIsAtMostFourBytesAndEndsBeforeASpace() {
    assertEquals(3, encode("hello you").length);
    assertEquals("hell", tokenizer.decode(encode("hello you"), 0, 1));
    assertEquals(" you", tokenizer.decode(encode("hello you"), 2, 3));
  }

  @Test
  void nulBytesAreKept() {
    int[] tokens = encode("a\0\0\0\0");
    assertEquals("a\0\0\0\0", tokenizer.decode(tokens, 0, tokens.length));
  }

  @Test
  void aConversationKeepsTheTokensOfItsPast() {
    TokenBuffer first = new TokenBuffer();
    ChatTemplate.message(tokenizer, "user", "Tell me", first);
    ChatTemplate.answerOpening(tokenizer, first);
    TokenBuffer second = new TokenBuffer();
    ChatTemplate.message(tokenizer, "user", "Tell me", second);
    ChatTemplate.message(tokenizer, "assistant", "No", second);
    ChatTemplate.message(tokenizer, "user", "Why?", second);
    assertStartsWith(first.toArray(), second.toArray());
  }

  @Test
  void contentHashesTellTextsApartAndAreNeverZero() {
    assertEquals(ContentHash.of("a"), ContentHash.of("a"));
    assertNotEquals(ContentHash.of("a"), ContentHash.of("b"));
    assertNotEquals(0, ContentHash.of(""));
    // XXH3-64 of no bytes, as published.
    assertEquals(0x2D06800538D394C2L, ContentHash.of(""));
  }

  private int[] encode(String text) {
    TokenBuffer out = new TokenBuffer();
    tokenizer.encode(text, out);
    return out.toArray();
  }
}
