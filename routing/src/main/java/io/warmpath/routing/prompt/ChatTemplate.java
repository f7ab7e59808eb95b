package io.warmpath.routing.prompt;

/**
 * Renders chat messages into the prompt of the modelled replicas, in ChatML's shape. Each message
 * is tokenized on its own, so that a growing conversation keeps the tokens of its past.
 */
public final class ChatTemplate {

  private ChatTemplate() {}

  /** Appends one message. */
  public static void message(Tokenizer tokenizer, String role, String content, TokenBuffer out) {
    tokenizer.encode("<|im_start|>" + role + "\n", out);
    tokenizer.encode(content, out);
    tokenizer.encode("<|im_end|>\n", out);
  }

  /** Appends the opening of the answer, after the last message. */
  public static void answerOpening(Tokenizer tokenizer, TokenBuffer out) {
    tokenizer.encode("<|im_start|>assistant\n", out);
  }
}
