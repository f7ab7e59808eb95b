package io.warmpath.lab.founding;

import io.warmpath.routing.prompt.ChatTemplate;
import io.warmpath.routing.prompt.QuadTokenizer;
import io.warmpath.routing.prompt.TokenBuffer;
import java.util.List;

/**
 * One conversation. Each prompt is all that was said before and the turn's own text, so that the
 * tokens of a prompt begin with those of the prompt and the answer before it.
 *
 * @param number from 0, the same for one seed whatever the order of play
 * @param kind what it is about
 * @param turns in order
 */
public record Conversation(int number, Kind kind, List<Turn> turns) {

  private static final QuadTokenizer TOKENIZER = new QuadTokenizer();

  /** Tokens that the template puts around a user's text, and before and after an answer. */
  private static final int USER_FRAME_TOKENS = userFrame();

  private static final int ANSWER_OPENING_TOKENS = answerOpening();
  private static final int ANSWER_END_TOKENS = answerFrame() - ANSWER_OPENING_TOKENS;

  /** What a conversation is about. */
  public enum Kind {
    /** A short piece of code. */
    CODE,
    /** A long document. */
    TEXT
  }

  public Conversation {
    turns = List.copyOf(turns);
  }

  /**
   * Tokens of the prompt of a turn, in the modelled replica's template and tokens, given that each
   * answer had its {@link Turn#outputTokens}.
   *
   * @param turn number of the turn, from 1
   */
  public int promptTokens(int turn) {
    int tokens = 0;
    for (int i = 0; i < turn; i++) {
      tokens += USER_FRAME_TOKENS + turns.get(i).text().tokens() + ANSWER_OPENING_TOKENS;
      if (i < turn - 1) {
        tokens += turns.get(i).outputTokens() + ANSWER_END_TOKENS;
      }
    }
    return tokens;
  }

  private static int userFrame() {
    TokenBuffer tokens = new TokenBuffer();
    ChatTemplate.message(TOKENIZER, "user", "", tokens);
    return tokens.size();
  }

  private static int answerFrame() {
    TokenBuffer tokens = new TokenBuffer();
    ChatTemplate.message(TOKENIZER, "assistant", "", tokens);
    return tokens.size();
  }

  private static int answerOpening() {
    TokenBuffer tokens = new TokenBuffer();
    ChatTemplate.answerOpening(TOKENIZER, tokens);
    return tokens.size();
  }
}
