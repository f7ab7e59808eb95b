package io.warmpath.balancer.request;

import java.util.Locale;

/** The endpoints that carry a prompt, by their paths. */
public enum Endpoint {
  CHAT("/v1/chat/completions"),
  COMPLETIONS("/v1/completions"),
  EMBEDDINGS("/v1/embeddings");

  private final String path;

  Endpoint(String path) {
    this.path = path;
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
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether its answers may stream. */
  boolean streams() {
    return this != EMBEDDINGS;
  }
}
