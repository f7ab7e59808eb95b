package io.warmpath.balancer.prompt;

import java.util.List;

/** What a request wants answered. Never printed. */
public sealed interface Prompt {

  /**
   * A conversation.
   *
   * @param messages messages in order
   * @param textOnly false if there are parts other than text, which count for nothing here
   * @param answerOpened whether the prompt ends with the opening of the answer, as it does unless a
   *     client wants otherwise
   */
  record Chat(List<ChatMessage> messages, boolean textOnly, boolean answerOpened)
      implements Prompt {
    public Chat {
      messages = List.copyOf(messages);
    }
  }

  /** One or more texts, answered one by one. */
  record Texts(List<String> texts) implements Prompt {
    public Texts {
      texts = List.copyOf(texts);
    }

    @Override
    public String toString() {
      return "Texts[" + texts.size() + "]";
    }
  }

  /** One or more lists of token ids, answered one by one. */
  record Tokens(List<int[]> prompts) implements Prompt {
    public Tokens {
      prompts = List.copyOf(prompts);
    }
  }
}
