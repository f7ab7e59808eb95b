package io.warmpath.bench.pipeline;

/**
 * A contender's windows of a minute against the truth.
 *
 * @param windows windows compared, all keys together
 * @param missing windows that it has not
 * @param miscounted windows whose requests are not the true ones
 * @param requests requests in all windows; each is in up to twelve
 * @param worstP95Error largest relative error of a 95th percentile
 */
public record WindowCheck(
    long windows, long missing, long miscounted, long requests, double worstP95Error) {

  private static final double TOLERANCE = 0.01;

  /** Whether all counts are exact and all percentiles within 1 %. */
  public boolean holds() {
    return missing == 0 && miscounted == 0 && worstP95Error <= TOLERANCE;
  }
}
