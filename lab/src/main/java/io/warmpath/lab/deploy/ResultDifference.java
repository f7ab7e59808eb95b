package io.warmpath.lab.deploy;

import java.time.Instant;

/**
 * A result of the candidate that is not the one published.
 *
 * @param topic where results are published
 * @param key key and window of the result
 * @param windowEndMs end of its window
 * @param field the first field that differs; empty where it is all of it
 * @param published its value as published, as JSON; null if there is none
 * @param candidate its value by the candidate; null if there is none
 */
public record ResultDifference(
    String topic, String key, long windowEndMs, String field, String published, String candidate) {

  @Override
  public String toString() {
    String of = field.isEmpty() ? "" : "field " + field + " of ";
    return "%s%s on %s, window that ends at %s: published %s, by the candidate %s"
        .formatted(
            of, key, topic, Instant.ofEpochMilli(windowEndMs), text(published), text(candidate));
  }

  private static String text(String value) {
    return value == null ? "nothing" : value;
  }
}
