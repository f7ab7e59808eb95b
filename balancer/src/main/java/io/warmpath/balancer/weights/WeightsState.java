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
  private volatile RoutingWeights published;
  private volatile Numbered numbered;

  /** What holds for replicas by their numbers; with or without weights. */
  private record Numbered(RoutingWeights record, List<String> replicas, WeightsInForce inForce) {}

  public WeightsState(String model) {
    this.model = model;
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
    published = weights;
    return true;
  }

  /**
   * What routing goes by at this time.
   *
   * @param nowMs epoch milliseconds
   * @param replicas names of the model's replicas, by their numbers; the same list object as long
   *     as they stay the same
   */
  public WeightsInForce inForce(long nowMs, List<String> replicas) {
    RoutingWeights latest = published;
    RoutingWeights leased = latest != null && nowMs <= latest.validUntilMs() ? latest : null;
    Numbered known = numbered;
    if (known == null || known.record() != leased || known.replicas() != replicas) {
      WeightsInForce inForce =
          leased == null
              ? WeightsInForce.equal(replicas.size())
              : WeightsInForce.of(leased, replicas);
      known = new Numbered(leased, replicas, inForce);
      numbered = known;
    }
    return known.inForce();
  }

  /** Highest epoch read, 0 for none. */
  public long epoch() {
    RoutingWeights latest = published;
    return latest == null ? 0 : latest.epoch();
  }

  /** Time left of the lease, negative once it has run out; empty without weights. */
  public OptionalLong leaseRemainingMs(long nowMs) {
    RoutingWeights latest = published;
    return latest == null ? OptionalLong.empty() : OptionalLong.of(latest.validUntilMs() - nowMs);
  }
}
