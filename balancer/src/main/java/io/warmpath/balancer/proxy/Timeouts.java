package io.warmpath.balancer.proxy;

import java.time.Duration;

/**
 * How long a request may take, in real time. Connecting has a bound of its own, with the
 * connections.
 *
 * @param firstToken dispatch to first generated token of a stream
 * @param idle between two reads of an answer that has begun
 * @param total request received to end of answer
 */
public record Timeouts(Duration firstToken, Duration idle, Duration total) {

  public static final Timeouts DEFAULTS =
      new Timeouts(Duration.ofMinutes(2), Duration.ofMinutes(1), Duration.ofMinutes(30));
}
