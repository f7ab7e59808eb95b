package io.warmpath.lab.calibrate;

import io.warmpath.replica.cuda.CudaEngine;
import io.warmpath.replica.cuda.CudaException;
import io.warmpath.replica.cuda.TransformerModel;
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

  /** The transformer of {@code cuda} without a name. */
  public static final String DEFAULT_TRANSFORMER = "qwen3-0.6b";

  private static final String MODELLED = "modelled";
  private static final String CUDA = "cuda";

  /**
   * Opens a target.
   *
   * @param text {@code modelled} or {@code modelled:PROFILE}, {@code cuda} or {@code
   *     cuda:TRANSFORMER}, or the URL of a server
   * @param base profile of a server for what times do not tell; null = {@link #DEFAULT_PROFILE}
   * @param model model to ask a server for
   * @param timeout most time for an answer of a server
   * @throws IllegalArgumentException if it is none of these
   * @throws IllegalStateException if it is {@code cuda} and there is no GPU, or its memory is not
   *     enough
   */
  public static OpenTarget open(String text, String base, String model, Duration timeout) {
    if (names(text, MODELLED)) {
      requireNoBase(base, "a model has its own profile");
      EngineProfile profile = EngineProfile.load(after(text, MODELLED, DEFAULT_PROFILE));
      return new OpenTarget(EngineTarget.modelled(profile), profile, profile);
    }
    if (names(text, CUDA)) {
      requireNoBase(base, "the transformer says the rest");
      return cuda(TransformerModel.load(after(text, CUDA, DEFAULT_TRANSFORMER)));
    }
    if (text.startsWith("http://") || text.startsWith("https://")) {
      EngineProfile profile = EngineProfile.load(base == null ? DEFAULT_PROFILE : base);
      return new OpenTarget(new LiveTarget(URI.create(text), model, timeout), profile, null);
    }
    throw new IllegalArgumentException(
        "--target "
            + text
            + " is neither modelled[:PROFILE] nor cuda[:TRANSFORMER] nor an http URL");
  }

  private static OpenTarget cuda(TransformerModel transformer) {
    try {
      CudaEngine cuda = CudaEngine.open(transformer);
      EngineProfile profile = transformer.scheduling().withGpu(cuda.gpu());
      return new OpenTarget(EngineTarget.cuda(profile, cuda), profile, null);
    } catch (CudaException e) {
      throw new IllegalStateException("--target cuda: " + e.getMessage(), e);
    }
  }

  private static boolean names(String text, String kind) {
    return text.equals(kind) || text.startsWith(kind + ":");
  }

  private static String after(String text, String kind, String defaultName) {
    return text.equals(kind) ? defaultName : text.substring(kind.length() + 1);
  }

  private static void requireNoBase(String base, String why) {
    if (base != null) {
      throw new IllegalArgumentException("--base goes with a URL: " + why);
    }
  }

  @Override
  public void close() {
    target.close();
  }
}
