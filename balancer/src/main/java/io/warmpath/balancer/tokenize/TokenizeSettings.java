package io.warmpath.balancer.tokenize;

import java.time.Duration;

/**
 * How the engine is asked for tokens.
 *
 * @param timeout how long a request waits for them at most
 */
public record TokenizeSettings(Duration timeout) {

  public static final TokenizeSettings DEFAULTS = new TokenizeSettings(Duration.ofMillis(50));
}
