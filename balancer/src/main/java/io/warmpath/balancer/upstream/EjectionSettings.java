package io.warmpath.balancer.upstream;

import java.time.Duration;

/**
 * When a replica whose answers fail is left out for a while. How long the first time lasts is
 * {@link HealthSettings#ejection()}.
 *
 * @param failures failed requests in a row that eject a replica, 0 for no such rule
 * @param failureShare share of failed requests in the window that ejects a replica, greater than 0;
 *     1 only if all failed
 * @param minRequests requests in the window below which the share says nothing
 * @param window time over which the share is taken
 * @param maxTime each ejection soon after the last is twice as long, up to this; also the longest
 *     that a replica's own {@code Retry-After} is heeded
 * @param maxShare share of a model's replicas that may be out, 0 to 1: no further one is ejected
 *     for its answers, or for checks and connections that are late. A replica that cannot be
 *     reached at all is left out whatever the share.
 * @param slowStart how long a replica that came back or joined takes to get its full share of
 *     requests, zero for at once
 */
public record EjectionSettings(
    int failures,
    double failureShare,
    int minRequests,
    Duration window,
    Duration maxTime,
    double maxShare,
    Duration slowStart) {

  public static final EjectionSettings DEFAULTS =
      new EjectionSettings(
          5, 0.5, 20, Duration.ofSeconds(10), Duration.ofMinutes(1), 0.5, Duration.ofSeconds(10));
}
