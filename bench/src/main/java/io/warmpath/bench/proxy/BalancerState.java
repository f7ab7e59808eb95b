package io.warmpath.bench.proxy;

/**
 * Whether the balancer did its other work too while it was measured.
 *
 * @param requests requests that it has ended
 * @param events events that it made of them, those dropped included
 * @param eventsDropped events that it had no room for
 * @param eventsInTopic events that the broker has got
 * @param weightsEpoch highest epoch of weights that it has read, 0 for none
 * @param leaseSeconds time left of their lease
 */
public record BalancerState(
    long requests,
    long events,
    long eventsDropped,
    long eventsInTopic,
    long weightsEpoch,
    double leaseSeconds) {

  /** Whether it followed weights, and every event is in the topic or counted as dropped. */
  boolean isSound() {
    return requests > 0
        && events == eventsInTopic + eventsDropped
        && weightsEpoch > 0
        && leaseSeconds > 0;
  }
}
