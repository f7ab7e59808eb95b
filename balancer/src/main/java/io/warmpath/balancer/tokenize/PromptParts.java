package io.warmpath.balancer.tokenize;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.warmpath.balancer.request.Endpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The parts of a request's body of which an engine makes the prompt, as the client wrote them: they
 * are passed to the engine byte for byte, and stand for the prompt where it is looked up.
 */
final class PromptParts {

  static final String MESSAGES = "messages";
  private static final String PROMPT = "prompt";

  /** What vLLM's {@code /tokenize} takes of a completion, with the same meaning. */
  private static final Set<String> OF_COMPLETIONS = Set.of("model", PROMPT, "add_special_tokens");

  /** The same of a chat. */
  private static final Set<String> OF_CHATS =
      Set.of(
          "model",
          MESSAGES,
          "tools",
          "add_generation_prompt",
          "continue_final_message",
          "add_special_tokens",
          "chat_template",
          "chat_template_kwargs");

  /** What changes a prompt, but is nothing that {@code /tokenize} knows. */
  private static final Set<String> NOT_ASKED =
      Set.of(
          "documents",
          "reasoning_effort",
          "truncate_prompt_tokens",
          "prompt_embeds",
          "mm_processor_kwargs",
          "media_io_kwargs");

  private static final int MAX_NESTING = 200;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_NESTING)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  /** Bytes of the body, the last one excluded. */
  record Slice(int from, int to) {
    int length() {
      return to - from;
    }
  }

  private final byte[] body;
  private final Set<String> asked;
  private final Map<String, Slice> fields = new TreeMap<>();
  private final List<Slice> messages = new ArrayList<>();

  private PromptParts(byte[] body, Set<String> asked) {
    this.body = body;
    this.asked = asked;
  }

  /**
   * Finds the parts in the first {@code length} bytes of a body that was read before.
   *
   * @return null if an engine that is asked for tokens would not see all of the prompt
   */
  static PromptParts of(byte[] body, int length, Endpoint endpoint) {
    if (endpoint == Endpoint.EMBEDDINGS) {
      return null;
    }
    boolean chat = endpoint == Endpoint.CHAT;
    PromptParts parts = new PromptParts(body, chat ? OF_CHATS : OF_COMPLETIONS);
    try (JsonParser parser = JSON.createParser(body, 0, length)) {
      return parts.read(parser) && (chat ? parts.hasMessages() : parts.isOneText()) ? parts : null;
    } catch (IOException e) {
      return null;
    }
  }

  private boolean read(JsonParser parser) throws IOException {
    parser.nextToken();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.VALUE_NULL) {
        continue;
      }
      if (NOT_ASKED.contains(name)) {
        return false;
      }
      if (!asked.contains(name)) {
        parser.skipChildren();
        continue;
      }
      int from = start(parser);
      if (name.equals(MESSAGES)) {
        readMessages(parser);
      } else {
        parser.skipChildren();
      }
      Slice field = new Slice(from, end(parser));
      if (from < 0 || field.length() <= 0) {
        return false;
      }
      fields.put(name, field);
    }
    return true;
  }

  private boolean hasMessages() {
    return !messages.isEmpty();
  }

  private boolean isOneText() {
    Slice prompt = fields.get(PROMPT);
    return prompt != null && body[prompt.from()] == '"';
  }

  private void readMessages(JsonParser parser) throws IOException {
    messages.clear();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      int from = start(parser);
      parser.skipChildren();
      messages.add(new Slice(from, end(parser)));
    }
  }

  private static int start(JsonParser parser) {
    return (int) parser.currentTokenLocation().getByteOffset();
  }

  private static int end(JsonParser parser) throws IOException {
    parser.finishToken();
    return (int) parser.currentLocation().getByteOffset();
  }

  byte[] body() {
    return body;
  }

  /** The fields by name, in the order of the names. */
  Map<String, Slice> fields() {
    return fields;
  }

  /** The messages of a chat, in order; empty for a completion. */
  List<Slice> messages() {
    return messages;
  }

  /** Bytes of all parts. */
  int length() {
    return fields.values().stream().mapToInt(Slice::length).sum();
  }

  /** Body of the question to {@code /tokenize}; nothing of it is copied. */
  ByteBuf question() {
    List<ByteBuf> pieces = new ArrayList<>();
    String before = "{\"";
    for (Map.Entry<String, Slice> field : fields.entrySet()) {
      pieces.add(ascii(before + field.getKey() + "\":"));
      Slice value = field.getValue();
      pieces.add(Unpooled.wrappedBuffer(body, value.from(), value.length()));
      before = ",\"";
    }
    pieces.add(ascii("}"));
    return Unpooled.wrappedBuffer(pieces.size(), pieces.toArray(ByteBuf[]::new));
  }

  private static ByteBuf ascii(String text) {
    return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII));
  }
}
