package io.warmpath.balancer.request;

/** The endpoints that carry a prompt, by their paths. */
public enum Endpoint {
  CHAT("/v1/chat/completions", "chat"),
  COMPLETIONS("/v1/completions", "text_completion"),
  EMBEDDINGS("/v1/embeddings", "embeddings");

  private final String path;
  private final String operation;

  Endpoint(String path, String operation) {
    this.path = path;
    this.operation = operation;
  }

  /** The endpoint at a path, or null. */
  public static Endpoint at(String path) {
    for (Endpoint endpoint : values()) {
      if (endpoint.path.equals(path)) {
        return endpoint;
      }
    }
    return null;
  }

  /** Name of the operation, as in OpenTelemetry's conventions. */
  public String operation() {
    return operation;
  }

  /** Whether its answers may stream. */
  boolean streams() {
    return this != EMBEDDINGS;
  }
}
