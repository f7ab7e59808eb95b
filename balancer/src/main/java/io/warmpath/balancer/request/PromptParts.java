package io.warmpath.balancer.request;

import com.fasterxml.jackson.core.JsonParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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
public final class PromptParts {

  /** Name of the field with a chat's messages. */
  public static final String MESSAGES = "messages";

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

  /** Bytes of the body, the last one excluded. */
  public record Slice(int from, int to) {

    /** The value whose first token a parser is at. */
    static int start(JsonParser parser) {
      return (int) parser.currentTokenLocation().getByteOffset();
    }

    /** That from there to the end of the token that a parser is at. */
    static Slice to(int start, JsonParser parser) throws IOException {
      parser.finishToken();
      return new Slice(start, (int) parser.currentLocation().getByteOffset());
    }

    /** Number of bytes. */
    public int length() {
      return to - from;
    }
  }

  private final byte[] body;
  private final Set<String> asked;
  private final Map<String, Slice> fields = new TreeMap<>();
  private final List<Slice> messages = new ArrayList<>();

  /** Whether a field was there that changes the prompt, and is nothing that an engine is asked. */
  private boolean beyond;

  private PromptParts(byte[] body, Set<String> asked) {
    this.body = body;
    this.asked = asked;
  }

  /** Parts of a body that is being read; null where no engine is asked. */
  static PromptParts in(byte[] body, Endpoint endpoint) {
    return switch (endpoint) {
      case CHAT -> new PromptParts(body, OF_CHATS);
      case COMPLETIONS -> new PromptParts(body, OF_COMPLETIONS);
      case EMBEDDINGS -> null;
    };
  }

  /** Whether a field is to be told with {@link #add}. */
  boolean wants(String name) {
    return asked.contains(name) || NOT_ASKED.contains(name);
  }

  /** A field was read; the last of a name counts. */
  void add(String name, Slice value) {
    // Of a body in another encoding than UTF-8 nobody knows where its bytes are.
    if (NOT_ASKED.contains(name) || value.from() < 0 || value.length() <= 0) {
      beyond = true;
    } else {
      fields.put(name, value);
    }
  }

  /** The messages of a chat begin; those of before do not count. */
  void messagesBegin() {
    messages.clear();
  }

  /** One of them was read. */
  void addMessage(Slice message) {
    messages.add(message);
  }

  /** The parts of a body that was read; null if an engine would not see all of the prompt. */
  PromptParts complete() {
    boolean asksForOne = asked == OF_CHATS ? !messages.isEmpty() : isOneText();
    return asksForOne && !beyond ? this : null;
  }

  private boolean isOneText() {
    Slice prompt = fields.get(PROMPT);
    return prompt != null && body[prompt.from()] == '"';
  }

  /** The whole body. */
  public byte[] body() {
    return body;
  }

  /** The fields by name, in the order of the names. */
  public Map<String, Slice> fields() {
    return fields;
  }

  /** The messages of a chat, in order; empty for a completion. */
  public List<Slice> messages() {
    return messages;
  }

  /** Bytes of all parts. */
  public int length() {
    return fields.values().stream().mapToInt(Slice::length).sum();
  }

  /** Body of the question to {@code /tokenize}; nothing of it is copied. */
  public ByteBuf question() {
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
