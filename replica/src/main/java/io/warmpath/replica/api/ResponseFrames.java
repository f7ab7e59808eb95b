package io.warmpath.replica.api;

/**
 * The texts around an answer's tokens, rendered once a request, so that a token costs no JSON.
 * Texts of tokens go in as they are: they hold nothing that JSON escapes.
 */
final class ResponseFrames {

  /** The event after the last one. */
  static final String DONE = "data: [DONE]\n\n";

  private final Endpoint endpoint;
  private final String chunkStart;
  private final String wholeStart;
  private final String deltaPrefix;
  private final String deltaSuffix;

  ResponseFrames(Endpoint endpoint, String requestId, long createdSeconds, String model) {
    this.endpoint = endpoint;
    String id = Json.quoted(endpoint.idPrefix + requestId);
    String name = Json.quoted(model);
    chunkStart = "data: " + objectStart(id, endpoint.chunkObject, createdSeconds, name);
    wholeStart = objectStart(id, endpoint.wholeObject, createdSeconds, name);
    deltaPrefix = chunkStart + endpoint.deltaStart;
    deltaSuffix = endpoint.deltaMiddle + endpoint.deltaOpenEnd + "]}\n\n";
  }

  /** The event that opens a stream; empty where there is none. */
  String opening() {
    return endpoint.opening.isEmpty() ? "" : chunkStart + endpoint.opening + "]}\n\n";
  }

  /** The event of a token that more follow. */
  String delta(String text) {
    return deltaPrefix + text + deltaSuffix;
  }

  /** The event of the last token. */
  String lastDelta(String text, String finishReason) {
    return deltaPrefix + text + endpoint.deltaMiddle + ending(finishReason) + "]}\n\n";
  }

  /** The event with the usage. */
  String usage(Usage usage) {
    return chunkStart + "],\"usage\":" + usage.json() + "}\n\n";
  }

  /** A whole answer. */
  String whole(String text, String finishReason, Usage usage) {
    return wholeStart
        + endpoint.wholeStart
        + text
        + endpoint.wholeMiddle
        + ending(finishReason)
        + "],\"usage\":"
        + usage.json()
        + "}";
  }

  private static String ending(String finishReason) {
    return "\"" + finishReason + "\",\"stop_reason\":null}";
  }

  private static String objectStart(String id, String object, long createdSeconds, String model) {
    return "{\"id\":"
        + id
        + ",\"object\":\""
        + object
        + "\",\"created\":"
        + createdSeconds
        + ",\"model\":"
        + model
        + ",\"choices\":[";
  }
}
