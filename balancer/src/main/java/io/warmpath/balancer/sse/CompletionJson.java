package io.warmpath.balancer.sse;

import java.nio.charset.StandardCharsets;

/**
 * What routing and measuring need to know of one JSON object of an answer: a chunk of a stream or a
 * whole body, of chat or text completions (and the usage of OpenAI's responses). Reusable.
 *
 * <p>A token is content, reasoning, a refusal or a tool call; a role, an annotation or an empty
 * delta is none.
 */
public final class CompletionJson {

  private static final byte[] CHOICES = ascii("choices");
  private static final byte[] USAGE = ascii("usage");
  private static final byte[] ERROR = ascii("error");
  private static final byte[] RESPONSE = ascii("response");
  private static final byte[] DELTA = ascii("delta");
  private static final byte[] TEXT = ascii("text");
  private static final byte[] CONTENT = ascii("content");
  private static final byte[] REASONING = ascii("reasoning");
  private static final byte[] REASONING_CONTENT = ascii("reasoning_content");
  private static final byte[] REFUSAL = ascii("refusal");
  private static final byte[] TOOL_CALLS = ascii("tool_calls");
  private static final byte[] FUNCTION_CALL = ascii("function_call");
  private static final byte[] PROMPT_TOKENS = ascii("prompt_tokens");
  private static final byte[] INPUT_TOKENS = ascii("input_tokens");
  private static final byte[] COMPLETION_TOKENS = ascii("completion_tokens");
  private static final byte[] OUTPUT_TOKENS = ascii("output_tokens");
  private static final byte[] PROMPT_DETAILS = ascii("prompt_tokens_details");
  private static final byte[] INPUT_DETAILS = ascii("input_tokens_details");
  private static final byte[] CACHED_TOKENS = ascii("cached_tokens");

  private final JsonCursor json = new JsonCursor();
  private boolean readable;
  private boolean token;
  private boolean content;
  private boolean choicesEmpty;
  private boolean error;
  private TokenUsage usage;

  /** Reads {@code bytes[from, to)}. What is no JSON object has no facts. */
  public void read(byte[] bytes, int from, int to) {
    token = false;
    content = false;
    choicesEmpty = false;
    error = false;
    usage = null;
    json.reset(bytes, from, to);
    readable = json.peek() == '{';
    if (!readable || !json.enterObject()) {
      return;
    }
    while (json.nextField()) {
      if (json.keyIs(CHOICES)) {
        readChoices();
      } else if (json.keyIs(USAGE)) {
        readUsage();
      } else if (json.keyIs(ERROR)) {
        error |= isError();
      } else if (json.keyIs(RESPONSE)) {
        readResponse();
      } else {
        json.skip();
      }
    }
    readable = !json.failed();
  }

  /** Whether the bytes were a JSON object. */
  public boolean readable() {
    return readable;
  }

  /** Whether it carries a generated token. */
  public boolean token() {
    return token;
  }

  /** Whether it carries content, as opposed to reasoning and tool calls. */
  public boolean content() {
    return content;
  }

  /** Whether it is an error object. */
  public boolean error() {
    return error;
  }

  /** Its usage, or null. */
  public TokenUsage usage() {
    return usage;
  }

  /** Whether it is the chunk that {@code stream_options.include_usage} adds: usage, no choices. */
  public boolean usageOnly() {
    return usage != null && choicesEmpty && !error;
  }

  private boolean isError() {
    byte first = json.peek();
    json.skip();
    return first == '{' || first == '"';
  }

  private void readChoices() {
    if (!json.enterArray()) {
      return;
    }
    choicesEmpty = true;
    while (json.nextElement()) {
      choicesEmpty = false;
      if (!json.enterObject()) {
        continue;
      }
      while (json.nextField()) {
        if (json.keyIs(DELTA)) {
          readDelta();
        } else if (json.keyIs(TEXT)) {
          sawContent(json.skipText());
        } else {
          json.skip();
        }
      }
    }
  }

  private void readDelta() {
    if (!json.enterObject()) {
      return;
    }
    while (json.nextField()) {
      if (json.keyIs(CONTENT)) {
        sawContent(json.peek() == '[' ? json.skipFilled() : json.skipText());
      } else if (json.keyIs(REASONING_CONTENT) || json.keyIs(REASONING) || json.keyIs(REFUSAL)) {
        token |= json.skipText();
      } else if (json.keyIs(TOOL_CALLS) || json.keyIs(FUNCTION_CALL)) {
        token |= json.skipFilled();
      } else {
        json.skip();
      }
    }
  }

  private void sawContent(boolean present) {
    token |= present;
    content |= present;
  }

  private void readResponse() {
    if (!json.enterObject()) {
      return;
    }
    while (json.nextField()) {
      if (json.keyIs(USAGE)) {
        readUsage();
      } else {
        json.skip();
      }
    }
  }

  private void readUsage() {
    if (!json.enterObject()) {
      return;
    }
    long prompt = -1;
    long completion = -1;
    long cached = -1;
    while (json.nextField()) {
      if (json.keyIs(PROMPT_TOKENS) || json.keyIs(INPUT_TOKENS)) {
        prompt = json.readCount();
      } else if (json.keyIs(COMPLETION_TOKENS) || json.keyIs(OUTPUT_TOKENS)) {
        completion = json.readCount();
      } else if (json.keyIs(PROMPT_DETAILS) || json.keyIs(INPUT_DETAILS)) {
        cached = readCached();
      } else {
        json.skip();
      }
    }
    usage = new TokenUsage(known(prompt), known(completion), known(cached));
  }

  private long readCached() {
    long cached = -1;
    if (json.enterObject()) {
      while (json.nextField()) {
        if (json.keyIs(CACHED_TOKENS)) {
          cached = json.readCount();
        } else {
          json.skip();
        }
      }
    }
    return cached;
  }

  private static Long known(long count) {
    return count < 0 ? null : (Long) count;
  }

  private static byte[] ascii(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
