package io.warmpath.replica.api;

import io.warmpath.routing.prompt.ChatTemplate;
import io.warmpath.routing.prompt.QuadTokenizer;
import io.warmpath.routing.prompt.TokenBuffer;
import java.util.List;

/**
 * What the replica reads of a request. Everything else (sampling, stop words, tools) is accepted
 * and has no effect on the modelled answer.
 *
 * @param model model asked for, or null
 * @param prompt tokens of {@code prompt}, or null
 * @param messages {@code messages}, or null
 * @param maxTokens tokens to generate, or null
 * @param maxTokensField the field that said so
 * @param stream whether to stream
 * @param includeUsage whether the stream ends with a chunk that holds the usage
 * @param addGenerationPrompt whether the answer's opening follows the messages
 */
record RequestBody(
    String model,
    TokenBuffer prompt,
    List<ChatMessage> messages,
    Integer maxTokens,
    String maxTokensField,
    boolean stream,
    boolean includeUsage,
    boolean addGenerationPrompt) {

  private static final QuadTokenizer TOKENIZER = new QuadTokenizer();

  static RequestBody parse(byte[] json) {
    return new RequestBodyReader().read(json);
  }

  /** The prompt's tokens, from {@code prompt}. */
  TokenBuffer promptTokens() {
    if (prompt == null) {
      throw ApiException.badField("prompt", "is missing");
    }
    if (prompt.size() == 0) {
      throw ApiException.badField("prompt", "is empty");
    }
    return prompt;
  }

  /** The prompt's tokens, from {@code messages} through the chat template. */
  TokenBuffer chatTokens() {
    if (messages == null) {
      throw ApiException.badField("messages", "is missing");
    }
    if (messages.isEmpty()) {
      throw ApiException.badField("messages", "is empty");
    }
    TokenBuffer tokens = new TokenBuffer();
    for (ChatMessage message : messages) {
      ChatTemplate.message(TOKENIZER, message.role(), message.content(), tokens);
    }
    if (addGenerationPrompt) {
      ChatTemplate.answerOpening(TOKENIZER, tokens);
    }
    return tokens;
  }
}
