package io.warmpath.routing.policy;

/** The time to first token that {@code adaptive} goes by. */
public final class PredictedTtft {

  private PredictedTtft() {}

  /**
   * {@code intercept + µs a token · (uncached + backlog share · backlog)}, µs; infinite where that
   * is no number. Without published weights it tells replicas apart, and is no time.
   */
  public static double micros(RoutingView view, int replica) {
    double load = view.uncachedTokens(replica) + view.backlogShare() * view.backlogTokens(replica);
    double micros = view.interceptMicros(replica) + view.microsPerToken(replica) * load;
    return Double.isNaN(micros) ? Double.POSITIVE_INFINITY : micros;
  }
}
