package io.warmpath.balancer.events;

import java.time.Duration;

/**
 * How events are kept and sent.
 *
 * @param buffer events kept at most while Kafka does not take them, sent but unconfirmed ones
 *     included
 * @param flushTimeout how long closing waits for events to be delivered
 * @param sampleRate share of the block hashes that {@code routed} carries, 0 to 1: at 0.1 a prompt
 *     of 128k tokens in blocks of 16 adds about 9 KB
 */
public record EventSettings(int buffer, Duration flushTimeout, double sampleRate) {

  public static final EventSettings DEFAULTS =
      new EventSettings(10_000, Duration.ofSeconds(5), 0.1);
}
