package io.warmpath.schemas.request;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a request ended. */
public enum Outcome {
  @JsonProperty("ok")
  OK,
  @JsonProperty("upstream_error")
  UPSTREAM_ERROR,
  @JsonProperty("client_abort")
  CLIENT_ABORT,
  @JsonProperty("timeout")
  TIMEOUT,
  @JsonProperty("rejected")
  REJECTED
}
