package io.warmpath.schemas.weights;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What the control law thinks of a replica. */
public enum ReplicaState {
  @JsonProperty("active")
  ACTIVE,
  /** New or restarted, in blackout or slow start. */
  @JsonProperty("warming")
  WARMING,
  /** Much slower than the fleet. */
  @JsonProperty("degraded")
  DEGRADED,
  /** Its events have gaps. */
  @JsonProperty("suspect")
  SUSPECT
}
