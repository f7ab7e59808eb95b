package io.warmpath.balancer.proxy;

import java.time.Duration;

/**
 * How long a client may take to send, so that slow ones hold no connection and no memory.
 *
 * @param header connection open, or first byte of a request, to the end of its headers
 * @param body end of the headers to the end of the body
 * @param keepAlive between an answer and the next request
 */
public record ReceiveTimeouts(Duration header, Duration body, Duration keepAlive) {

  public static final ReceiveTimeouts DEFAULTS =
      new ReceiveTimeouts(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofSeconds(75));
}
