package io.warmpath.balancer.prompt;

import io.warmpath.routing.prefix.PrefixHasher;
import io.warmpath.routing.prompt.ChatTemplate;
import io.warmpath.routing.prompt.TokenBuffer;
import io.warmpath.routing.prompt.Tokenizer;
import java.util.List;

/**
 * Counts a prompt's tokens and hashes its blocks. Of several prompts in one request all are counted
 * and the first is hashed. Safe for concurrent use.
 */
public final class PromptEncoder {

  /** Salt of blocks that are only approximated: no engine's block has a hash below it. */
  private static final String APPROXIMATE = "warmpath:approximate:";

  private static final long[] NO_HASHES = {};

  private final TokenizerKind kind;
  private final Tokenizer tokenizer;
  private final PrefixHasher hasher;

  /**
   * @param blockTokens tokens a block, as the engine has them
   */
  public PromptEncoder(TokenizerKind kind, int blockTokens) {
    this.kind = kind;
    this.tokenizer = kind.tokenizer();
    this.hasher = new PrefixHasher(blockTokens);
  }

  /**
   * @param salt keeps the caches of tenants apart; empty for none
   */
  public PromptBlocks encode(Prompt prompt, String salt) {
    if (prompt instanceof Prompt.Chat chat) {
      TokenBuffer tokens = new TokenBuffer();
      for (ChatMessage message : chat.messages()) {
        ChatTemplate.message(tokenizer, message.role(), message.content(), tokens);
      }
      if (chat.answerOpened()) {
        ChatTemplate.answerOpening(tokenizer, tokens);
      }
      boolean exact = kind.exact() && chat.textOnly();
      return blocks(tokens.array(), tokens.size(), tokens.size(), textSalt(salt), exact);
    }
    if (prompt instanceof Prompt.Texts texts) {
      return texts(texts.texts(), textSalt(salt));
    }
    return tokens(((Prompt.Tokens) prompt).prompts(), salt);
  }

  private PromptBlocks texts(List<String> texts, String salt) {
    TokenBuffer tokens = new TokenBuffer();
    int first = 0;
    for (int i = 0; i < texts.size(); i++) {
      tokenizer.encode(texts.get(i), tokens);
      if (i == 0) {
        first = tokens.size();
      }
    }
    return blocks(tokens.array(), first, tokens.size(), salt, kind.exact());
  }

  private PromptBlocks tokens(List<int[]> prompts, String salt) {
    int all = 0;
    for (int[] prompt : prompts) {
      all += prompt.length;
    }
    int[] first = prompts.isEmpty() ? new int[0] : prompts.get(0);
    return blocks(first, first.length, all, salt, true);
  }

  private PromptBlocks blocks(int[] tokens, int hashed, int counted, String salt, boolean exact) {
    long[] hashes =
        hashed < hasher.blockTokens()
            ? NO_HASHES
            : hasher.hash(PrefixHasher.root(salt, ""), tokens, 0, hashed);
    return new PromptBlocks(hashes, hasher.blockTokens(), counted, exact);
  }

  private String textSalt(String salt) {
    return kind.exact() ? salt : APPROXIMATE + salt;
  }
}
