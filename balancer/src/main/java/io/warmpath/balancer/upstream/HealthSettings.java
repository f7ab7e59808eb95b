package io.warmpath.balancer.upstream;

import java.time.Duration;

/**
 * How replicas are watched.
 *
 * @param interval time between two checks of a replica; zero for no checks
 * @param timeout a check that takes longer has failed
 * @param failures failed checks in a row that make a replica {@code down}; one that passes makes it
 *     {@code up} again
 * @param ejection how long a replica gets no requests after a connection to it failed; zero to try
 *     it again at once, but still with one request at a time
 */
public record HealthSettings(Duration interval, Duration timeout, int failures, Duration ejection) {

  public static final HealthSettings DEFAULTS =
      new HealthSettings(Duration.ofSeconds(2), Duration.ofSeconds(2), 2, Duration.ofSeconds(3));
}
