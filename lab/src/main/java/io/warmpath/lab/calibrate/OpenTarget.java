package io.warmpath.lab.calibrate;

import io.warmpath.replica.engine.EngineProfile;
import java.net.URI;
import java.time.Duration;

/**
 * A target as the command line names it.
 *
 * @param target where probes go
 * @param base what times do not tell: token budget, batch, memory, GPU
 * @param actual the constants that should come out; null where nobody knows
 */
public record OpenTarget(CalibrationTarget target, EngineProfile base, EngineProfile actual)
    implements AutoCloseable {

  /** The profile of {@code modelled} without a name, and of live targets. */
  public static final String DEFAULT_PROFILE = "llama-3.1-8b-h100";

  private static final String MODELLED = "modelled";

  /**
   * Opens a target.
   *
   * @param text {@code modelled}, {@code modelled:PROFILE} or the URL of a server
   * @param base profile of a server for what times do not tell; null = {@link #DEFAULT_PROFILE}
   * @param model model to ask a server for
   * @param timeout most time for an answer of a server
   * @throws IllegalArgumentException if it is none of these
   */
  public static OpenTarget open(String text, String base, String model, Duration timeout) {
    if (text.equals(MODELLED) || text.startsWith(MODELLED + ":")) {
      if (base != null) {
        throw new IllegalArgumentException("--base goes with a URL: a model has its own profile");
      }
      EngineProfile profile =
          EngineProfile.load(
              text.equals(MODELLED) ? DEFAULT_PROFILE : text.substring(MODELLED.length() + 1));
      return new OpenTarget(new ModelledTarget(profile), profile, profile);
    }
    if (text.startsWith("http://") || text.startsWith("https://")) {
      EngineProfile profile = EngineProfile.load(base == null ? DEFAULT_PROFILE : base);
      return new OpenTarget(new LiveTarget(URI.create(text), model, timeout), profile, null);
    }
    throw new IllegalArgumentException(
        "--target " + text + " is neither modelled[:PROFILE] nor an http URL");
  }

  @Override
  public void close() {
    target.close();
  }
}
