package io.warmpath.bridge.follow;

import java.time.Duration;

/**
 * How missed messages are asked for.
 *
 * @param timeout after which an engine that sends nothing of an answer is given up
 * @param coolDown least time between the end of one answer and the next question
 * @param check how often an engine of which nothing is heard is asked whether something was missed
 */
public record ReplaySettings(Duration timeout, Duration coolDown, Duration check) {

  /** What holds if nothing is said. */
  public static final ReplaySettings DEFAULTS =
      new ReplaySettings(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofMinutes(1));
}
