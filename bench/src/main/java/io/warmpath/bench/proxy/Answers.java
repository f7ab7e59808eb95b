package io.warmpath.bench.proxy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The upstreams' answers, made once, in the form that vLLM gives them. */
final class Answers {

  /** Model that is asked for. */
  static final String MODEL = "bench-model";

  /** Tokens of a short stream. */
  static final int SHORT_STREAM_TOKENS = 8;

  /** Digits of a chunk's time. */
  static final int TIME_DIGITS = 19;

  private static final String NO_TIME = "0".repeat(TIME_DIGITS);

  private static final String JSON_BODY =
      """
      {"id":"chatcmpl-0123456789abcdef","object":"chat.completion","created":1764720000,\
      "model":"bench-model","choices":[{"index":0,"message":{"role":"assistant",\
      "content":"The prefix of this prompt is cached."},"logprobs":null,"finish_reason":"stop"}],\
      "usage":{"prompt_tokens":200,"total_tokens":208,"completion_tokens":8,\
      "prompt_tokens_details":{"cached_tokens":128}}}""";

  private static final String STREAM_HEAD =
      """
      HTTP/1.1 200 OK\r
      server: uvicorn\r
      content-type: text/event-stream; charset=utf-8\r
      transfer-encoding: chunked\r
      \r
      """;

  private static final String ROLE = event("{\"role\":\"assistant\",\"content\":\"\"}");
  private static final String TOKEN = event("{\"content\":\" token\"}");
  private static final String TIMED_TOKEN = event("{\"content\":\"" + NO_TIME + "\"}");
  private static final String USAGE =
      """
      data: {"id":"chatcmpl-0123456789abcdef","object":"chat.completion.chunk",\
      "created":1764720000,"model":"bench-model","choices":[],"usage":{"prompt_tokens":200,\
      "total_tokens":208,"completion_tokens":8}}

      """;
  private static final String DONE = "data: [DONE]\n\n";
  private static final String LAST_CHUNK = "0\r\n\r\n";

  /** Where the time begins in a timed chunk's line. */
  static final int TIME_AT = TIMED_TOKEN.indexOf(NO_TIME);

  /** Length of a timed chunk's line, without its end. */
  static final int TIMED_LINE_BYTES = TIMED_TOKEN.length() - 2;

  private static final int TIME_IN_CHUNK = chunk(TIMED_TOKEN).indexOf(NO_TIME);

  private Answers() {}

  private static String event(String delta) {
    return """
        data: {"id":"chatcmpl-0123456789abcdef","object":"chat.completion.chunk",\
        "created":1764720000,"model":"bench-model","choices":[{"index":0,"delta":%s,\
        "logprobs":null,"finish_reason":null}]}

        """
        .formatted(delta);
  }

  private static String chunk(String event) {
    return Integer.toHexString(event.length()) + "\r\n" + event + "\r\n";
  }

  /** A whole answer. */
  static byte[] whole(AnswerForm form) {
    return switch (form) {
      case JSON ->
          bytes(
              "HTTP/1.1 200 OK\r\nserver: uvicorn\r\ncontent-type: application/json\r\n"
                  + ("content-length: " + JSON_BODY.length() + "\r\n\r\n" + JSON_BODY));
      case STREAM ->
          bytes(
              STREAM_HEAD
                  + chunk(ROLE)
                  + chunk(TOKEN).repeat(SHORT_STREAM_TOKENS)
                  + chunk(USAGE)
                  + chunk(DONE)
                  + LAST_CHUNK);
      case PACED -> throw new IllegalArgumentException("it comes in pieces");
    };
  }

  /** What health checks get. */
  static byte[] healthy() {
    return bytes("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  }

  /** How a stream begins whose chunks come one by one. */
  static byte[] pacedBegin() {
    return bytes(STREAM_HEAD + chunk(ROLE));
  }

  /** How it ends. */
  static byte[] pacedEnd() {
    return bytes(chunk(USAGE) + chunk(DONE) + LAST_CHUNK);
  }

  /** A chunk with room for a time. */
  static ByteBuffer timedChunk() {
    return ByteBuffer.wrap(bytes(chunk(TIMED_TOKEN)));
  }

  /** Puts a time into such a chunk and makes it ready to be written. */
  static void setTime(ByteBuffer chunk, long nanos) {
    long rest = nanos;
    for (int digit = TIME_DIGITS - 1; digit >= 0; digit--) {
      chunk.put(TIME_IN_CHUNK + digit, (byte) ('0' + rest % 10));
      rest /= 10;
    }
    chunk.clear();
  }

  /**
   * Whether a client's body is as long as it must be. A proxy may have asked for the usage itself,
   * and then keeps the chunk that tells it.
   */
  static boolean isWhole(AnswerForm form, int chunks, long bodyBytes) {
    long timed = (long) chunks * TIMED_TOKEN.length();
    return switch (form) {
      case JSON -> bodyBytes == JSON_BODY.length();
      case STREAM -> isStream(bodyBytes - (long) SHORT_STREAM_TOKENS * TOKEN.length());
      case PACED -> isStream(bodyBytes - timed);
    };
  }

  private static boolean isStream(long bytesBesideTokens) {
    int frame = ROLE.length() + DONE.length();
    return bytesBesideTokens == frame || bytesBesideTokens == frame + USAGE.length();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
