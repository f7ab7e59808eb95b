package io.warmpath.balancer.weights;

import io.warmpath.schemas.weights.RoutingWeights;
import java.util.List;
import java.util.OptionalLong;

/**
 * The weights of one model as far as the topic was read. Only a higher epoch replaces what is
 * there. When the lease has run out all replicas are alike until newer weights come. Safe for
 * concurrent use.
 */
public final class WeightsState {

  private final String model;
  private final List<String> replicas;
  private final WeightsInForce equal;
  private volatile Published published;

  private record Published(RoutingWeights record, WeightsInForce inForce) {}

  /**
   * @param replicas names of the model's replicas, by their numbers
   */
  public WeightsState(String model, List<String> replicas) {
    this.model = model;
    this.replicas = List.copyOf(replicas);
    this.equal = WeightsInForce.equal(replicas.size());
  }

  public String model() {
    return model;
  }

  /**
   * Takes published weights.
   *
   * @return false if they are of another model, or no newer than those that are there
   */
  public synchronized boolean accept(RoutingWeights weights) {
    if (!weights.model().equals(model) || weights.epoch() <= epoch()) {
      return false;
    }
    published = new Published(weights, WeightsInForce.of(weights, replicas));
    return true;
  }

  /** What routing goes by at this time, in epoch milliseconds. */
  public WeightsInForce inForce(long nowMs) {
    Published latest = published;
    return latest != null && nowMs <= latest.record().validUntilMs() ? latest.inForce() : equal;
  }

  /** Highest epoch read, 0 for none. */
  public long epoch() {
    Published latest = published;
    return latest == null ? 0 : latest.record().epoch();
  }

  /** Time left of the lease, negative once it has run out; empty without weights. */
  public OptionalLong leaseRemainingMs(long nowMs) {
    Published latest = published;
    return latest == null
        ? OptionalLong.empty()
        : OptionalLong.of(latest.record().validUntilMs() - nowMs);
  }
}
