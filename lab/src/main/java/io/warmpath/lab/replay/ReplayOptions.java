package io.warmpath.lab.replay;

import java.net.URI;
import java.time.Duration;

/**
 * How to replay.
 *
 * @param target base URL of the balancer or of a single replica
 * @param model the {@code model} of every request
 * @param speed how many times faster than recorded; greater than 0
 * @param timeout most time for a whole answer
 * @param maxInFlight requests that may be open at once; further ones fail unsent
 */
public record ReplayOptions(
    URI target, String model, double speed, Duration timeout, int maxInFlight) {

  public ReplayOptions {
    require(target.getScheme() != null && target.getHost() != null, "--target is no URL");
    require(speed > 0 && Double.isFinite(speed), "--speed must be greater than 0");
    require(!model.isBlank(), "--model is empty");
    require(timeout.toMillis() > 0, "--timeout must be greater than 0");
    require(maxInFlight > 0, "--max-in-flight must be greater than 0");
  }

  private static void require(boolean met, String message) {
    if (!met) {
      throw new IllegalArgumentException(message);
    }
  }
}
