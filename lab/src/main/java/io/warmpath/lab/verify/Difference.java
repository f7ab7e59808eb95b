package io.warmpath.lab.verify;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Two records of one key that should be equal and are not.
 *
 * @param kind what they are
 * @param key key of the record; epoch and model for a decision
 * @param windowStartMs first millisecond of the window
 * @param windowEndMs first millisecond after it
 * @param one where the one record is from
 * @param other where the other is from
 * @param field first field that differs, empty where it is all of it
 * @param oneValue its value in the one; null where there is none
 * @param otherValue its value in the other, likewise
 */
public record Difference(
    Kind kind,
    String key,
    long windowStartMs,
    long windowEndMs,
    String one,
    String other,
    String field,
    String oneValue,
    String otherValue) {

  /** What is compared. */
  public enum Kind {
    @JsonProperty("row")
    ROW,
    @JsonProperty("decision")
    DECISION
  }
}
