package io.warmpath.balancer.prompt;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.warmpath.balancer.prompt.ConversationMemory.Past;
import io.warmpath.routing.prefix.PrefixHasher;
import io.warmpath.routing.prompt.ChatTemplate;
import io.warmpath.routing.prompt.TokenBuffer;
import io.warmpath.routing.prompt.Tokenizer;
import java.util.Arrays;
import java.util.List;

/**
 * Counts a prompt's tokens and hashes its blocks. Of several prompts in one request all are counted
 * and the first is hashed. Safe for concurrent use.
 */
public final class PromptEncoder {

  /** Salt of blocks that are only approximated: no engine's block has a hash below it. */
  private static final String APPROXIMATE = "warmpath:approximate:";

  private static final long[] NO_HASHES = {};
  private static final int[] NO_TOKENS = {};

  /** Memory for what is known of conversations. */
  private static final long MEMORY_BYTES = 32L << 20;

  /** Shorter conversations are encoded sooner than looked up, characters. */
  private static final int MIN_REMEMBERED_CHARS = 2_048;

  private final Tokenizer tokenizer;
  private final boolean exact;
  private final PrefixHasher hasher;
  private final ConversationMemory memory;

  /**
   * @param blockTokens tokens a block, as the engine has them
   */
  public PromptEncoder(TokenizerKind kind, int blockTokens) {
    this(kind.tokenizer(), kind.exactAtOnce(), blockTokens, new ConversationMemory(MEMORY_BYTES));
  }

  PromptEncoder(Tokenizer tokenizer, boolean exact, int blockTokens, ConversationMemory memory) {
    this.tokenizer = tokenizer;
    this.exact = exact;
    this.hasher = new PrefixHasher(blockTokens);
    this.memory = memory;
  }

  /**
   * @param salt keeps the caches of tenants apart; empty for none
   */
  public PromptBlocks encode(Prompt prompt, String salt) {
    if (prompt instanceof Prompt.Chat chat) {
      return chat(chat, textSalt(salt));
    }
    if (prompt instanceof Prompt.Texts texts) {
      return texts(texts.texts(), textSalt(salt));
    }
    return tokens(((Prompt.Tokens) prompt).prompts(), salt);
  }

  private PromptBlocks chat(Prompt.Chat chat, String salt) {
    List<ChatMessage> messages = chat.messages();
    int known = 0;
    Past past = new Past(NO_HASHES, 0, NO_TOKENS);
    HashValue128[] keys = null;
    if (chars(messages) >= MIN_REMEMBERED_CHARS) {
      keys = memory.keys(salt, messages);
      for (known = keys.length; known > 0; known--) {
        Past found = memory.get(keys[known - 1]);
        if (found != null) {
          past = found;
          break;
        }
      }
    }
    TokenBuffer tokens = new TokenBuffer();
    for (int token : past.tail()) {
      tokens.add(token);
    }
    int beforeLast = tokens.size();
    for (ChatMessage message : messages.subList(known, messages.size())) {
      beforeLast = tokens.size();
      ChatTemplate.message(tokenizer, message.role(), message.content(), tokens);
    }
    int afterLast = tokens.size();
    if (chat.answerOpened()) {
      ChatTemplate.answerOpening(tokenizer, tokens);
    }
    long[] hashes = continued(past, tokens, salt);
    if (keys != null && known < keys.length) {
      // Other questions about the same text share all but the last message.
      if (keys.length - 1 > known) {
        memory.put(keys[keys.length - 2], past(past, hashes, tokens, beforeLast));
      }
      memory.put(keys[keys.length - 1], past(past, hashes, tokens, afterLast));
    }
    int length = past.blocks() * hasher.blockTokens() + tokens.size();
    return new PromptBlocks(hashes, hasher.blockTokens(), length, exact && chat.textOnly());
  }

  private static long chars(List<ChatMessage> messages) {
    long chars = 0;
    for (ChatMessage message : messages) {
      chars += message.content().length();
    }
    return chars;
  }

  /** Hashes of a past and of the tokens after its last full block. */
  private long[] continued(Past past, TokenBuffer tokens, String salt) {
    int blocks = past.blocks();
    long before = blocks == 0 ? PrefixHasher.root(salt, "") : past.hashes()[blocks - 1];
    long[] hashes = Arrays.copyOf(past.hashes(), blocks + hasher.fullBlocks(tokens.size()));
    hasher.hash(before, tokens.array(), 0, tokens.size(), hashes, blocks);
    return hashes;
  }

  /** The conversation up to the {@code end}th of the tokens after an earlier past. */
  private Past past(Past earlier, long[] hashes, TokenBuffer tokens, int end) {
    int full = hasher.fullBlocks(end);
    int[] tail = Arrays.copyOfRange(tokens.array(), full * hasher.blockTokens(), end);
    return new Past(hashes, earlier.blocks() + full, tail);
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
    return blocks(tokens.array(), first, tokens.size(), salt, exact);
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
    return exact ? salt : APPROXIMATE + salt;
  }
}
