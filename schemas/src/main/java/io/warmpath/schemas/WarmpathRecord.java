package io.warmpath.schemas;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A record that travels through Kafka as one JSON object, with its format version in {@code v}. */
public interface WarmpathRecord {

  /** The only version that this code reads and writes. */
  int VERSION = 1;

  /** Format version, written first in each object. */
  @JsonProperty(value = "v", access = JsonProperty.Access.READ_ONLY, index = 0)
  default int v() {
    return VERSION;
  }
}
