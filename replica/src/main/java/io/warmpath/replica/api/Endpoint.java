package io.warmpath.replica.api;

/** The two endpoints that generate, with what their JSON differs in. Shapes are those of vLLM. */
enum Endpoint {
  CHAT(
      "chatcmpl-",
      "chat.completion.chunk",
      "chat.completion",
      "{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},"
          + "\"logprobs\":null,\"finish_reason\":null}",
      "{\"index\":0,\"delta\":{\"content\":\"",
      "\"},\"logprobs\":null,\"finish_reason\":",
      "null}",
      "{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"",
      "\",\"refusal\":null,\"tool_calls\":[]},\"logprobs\":null,\"finish_reason\":"),

  COMPLETION(
      "cmpl-",
      "text_completion",
      "text_completion",
      "",
      "{\"index\":0,\"text\":\"",
      "\",\"logprobs\":null,\"finish_reason\":",
      "null,\"stop_reason\":null}",
      "{\"index\":0,\"text\":\"",
      "\",\"logprobs\":null,\"finish_reason\":");

  final String idPrefix;

  /** {@code object} of a chunk. */
  final String chunkObject;

  /** {@code object} of a whole answer. */
  final String wholeObject;

  /** The choice that opens a stream and holds no token; empty where there is none. */
  final String opening;

  /** The choice of a chunk up to its text. */
  final String deltaStart;

  /** From there to its finish reason. */
  final String deltaMiddle;

  /** The rest of it, where the answer goes on. */
  final String deltaOpenEnd;

  /** The choice of a whole answer up to its text. */
  final String wholeStart;

  /** From there to its finish reason. */
  final String wholeMiddle;

  Endpoint(
      String idPrefix,
      String chunkObject,
      String wholeObject,
      String opening,
      String deltaStart,
      String deltaMiddle,
      String deltaOpenEnd,
      String wholeStart,
      String wholeMiddle) {
    this.idPrefix = idPrefix;
    this.chunkObject = chunkObject;
    this.wholeObject = wholeObject;
    this.opening = opening;
    this.deltaStart = deltaStart;
    this.deltaMiddle = deltaMiddle;
    this.deltaOpenEnd = deltaOpenEnd;
    this.wholeStart = wholeStart;
    this.wholeMiddle = wholeMiddle;
  }
}
