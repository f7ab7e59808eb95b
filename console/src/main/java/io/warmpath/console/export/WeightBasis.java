package io.warmpath.console.export;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a replica's weight comes from. */
public enum WeightBasis {
  /** Published for it. */
  @JsonProperty("published")
  PUBLISHED,
  /** The mean of the published ones: none was ever published for it. */
  @JsonProperty("mean")
  MEAN,
  /** All are equal: there are no weights, or their lease is over. */
  @JsonProperty("equal")
  EQUAL,
  /** 0: weights were published for it and are no longer, it is gone from the fleet. */
  @JsonProperty("drained")
  DRAINED
}
