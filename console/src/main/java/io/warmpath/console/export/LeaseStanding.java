package io.warmpath.console.export;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether published weights hold. */
public enum LeaseStanding {
  /** None were published. */
  @JsonProperty("none")
  NONE,
  /** They hold. */
  @JsonProperty("in_force")
  IN_FORCE,
  /** They ran out and no newer ones came. */
  @JsonProperty("over")
  OVER
}
