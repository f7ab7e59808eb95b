package io.warmpath.balancer.upstream;

import java.time.Duration;

/**
 * Connections to replicas.
 *
 * @param connectTimeout a connection that takes longer has failed; so has one whose replica's name
 *     takes longer to look up
 * @param maxIdle idle connections kept per replica and event loop
 * @param keepIdle how long an idle connection is used again; shorter than the replica keeps it open
 *     (uvicorn, below vLLM and SGLang, closes after 5 s)
 */
public record ConnectionSettings(Duration connectTimeout, int maxIdle, Duration keepIdle) {

  public static final ConnectionSettings DEFAULTS =
      new ConnectionSettings(Duration.ofSeconds(1), 256, Duration.ofSeconds(4));
}
