package io.warmpath.lab.founding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.routing.prompt.ChatTemplate;
import io.warmpath.routing.prompt.QuadTokenizer;
import io.warmpath.routing.prompt.TokenBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class FoundingWorkloadTest {

  private static final QuadTokenizer TOKENIZER = new QuadTokenizer();

  private static int tokens(String text) {
    TokenBuffer tokens = new TokenBuffer();
    TOKENIZER.encode(text, tokens);
    return tokens.size();
  }

  @Test
  void hasThePublishedShape() {
    FoundingWorkload workload = FoundingWorkload.generate(7);
    List<Conversation> conversations = workload.conversations();
    assertEquals(11, conversations.size());
    assertEquals(5, conversations.stream().filter(c -> c.kind() == Conversation.Kind.CODE).count());
    assertEquals(110, FoundingWorkload.REQUESTS);
    for (Conversation conversation : conversations) {
      assertEquals(10, conversation.turns().size());
      for (Turn turn : conversation.turns()) {
        assertTrue(turn.thinkMicros() >= 500_000 && turn.thinkMicros() <= 2_000_000);
        assertTrue(turn.outputTokens() >= 1 && turn.outputTokens() <= 500);
      }
      if (conversation.kind() == Conversation.Kind.TEXT) {
        assertTrue(conversation.promptTokens(1) >= 4_000);
      }
    }
  }

  @Test
  void theSameSeedGivesTheSameWorkloadAndAnotherSeedAnother() {
    assertEquals(FoundingWorkload.generate(3), FoundingWorkload.generate(3));
    assertNotEquals(
        FoundingWorkload.generate(3).conversations(), FoundingWorkload.generate(4).conversations());
  }

  @Test
  void allTextsHaveTheTokensThatAreStated() {
    for (Conversation conversation : FoundingWorkload.generate(1).conversations()) {
      for (Turn turn : conversation.turns()) {
        assertEquals(turn.text().tokens(), tokens(turn.text().render()));
      }
    }
  }

  @Property(tries = 200)
  void aTextHasExactlyTheTokensAskedFor(
      @ForAll @IntRange(min = UserText.LEAST_TOKENS, max = 3_000) int length,
      @ForAll long seed,
      @ForAll Conversation.Kind kind) {
    assertEquals(length, tokens(new UserText(kind, length, seed).render()));
  }

  @Test
  void promptTokensAreThoseOfTheTemplate() {
    Conversation conversation = FoundingWorkload.generate(5).conversations().get(0);
    TokenBuffer prompt = new TokenBuffer();
    for (Turn turn : conversation.turns()) {
      ChatTemplate.message(TOKENIZER, "user", turn.text().render(), prompt);
      int past = prompt.size();
      ChatTemplate.answerOpening(TOKENIZER, prompt);
      assertEquals(prompt.size(), conversation.promptTokens(turn.number()));

      TokenBuffer grown = new TokenBuffer();
      Arrays.stream(prompt.toArray()).limit(past).forEach(grown::add);
      String answer = " yes".repeat(turn.outputTokens());
      ChatTemplate.message(TOKENIZER, "assistant", answer, grown);
      prompt = grown;
    }
  }

  @Test
  void noTwoConversationsShareTheirFirstBlock() {
    Set<List<Integer>> beginnings = new HashSet<>();
    for (long seed = 0; seed < 20; seed++) {
      for (Conversation conversation : FoundingWorkload.generate(seed).conversations()) {
        TokenBuffer prompt = new TokenBuffer();
        String text = conversation.turns().get(0).text().render();
        ChatTemplate.message(TOKENIZER, "user", text, prompt);
        beginnings.add(Arrays.stream(prompt.toArray()).limit(16).boxed().toList());
      }
    }
    assertEquals(20 * 11, beginnings.size());
  }
}
