package io.warmpath.balancer.proxy;

import java.time.Duration;

/**
 * How long a client may take to send and to read the end of an answer, so that slow ones hold no
 * connection and no memory.
 *
 * @param header connection open, or first byte of a request, to the end of its headers
 * @param body end of the headers to the end of the body; also a complete answer to its last byte
 *     taken by the client
 * @param keepAlive between an answer that has gone out and the next request
 */
public record ReceiveTimeouts(Duration header, Duration body, Duration keepAlive) {

  public static final ReceiveTimeouts DEFAULTS =
      new ReceiveTimeouts(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofSeconds(75));
}
