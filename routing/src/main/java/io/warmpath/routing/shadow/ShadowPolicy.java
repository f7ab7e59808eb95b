package io.warmpath.routing.shadow;

import io.warmpath.schemas.stats.ShadowStats;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** One policy at all KV capacities. */
final class ShadowPolicy {

  /** 97.5 % quantile of the normal distribution. */
  private static final double Z = 1.96;

  private final String name;
  private final List<Double> factors;
  private final SampleRate rate;
  private final List<ShadowFleet> fleets = new ArrayList<>();

  ShadowPolicy(String name, ShadowSettings settings, ReplicaSlots slots) {
    this.name = name;
    this.factors = settings.factors();
    this.rate = settings.rate();
    for (double factor : factors) {
      fleets.add(new ShadowFleet(name, slots, factor * settings.capacityBlocks(), rate));
    }
  }

  String name() {
    return name;
  }

  void route(ShadowRequest request) {
    for (ShadowFleet fleet : fleets) {
      fleet.route(request);
    }
  }

  /** What each capacity gave in the window, which holds {@code promptTokens} tokens in all. */
  List<ShadowStats.Capacity> capacities(long promptTokens) {
    List<ShadowStats.Capacity> capacities = new ArrayList<>();
    for (int i = 0; i < factors.size(); i++) {
      ShadowFleet fleet = fleets.get(i);
      long cached = fleet.hits().tokens();
      boolean some = promptTokens > 0;
      capacities.add(
          new ShadowStats.Capacity(
              factors.get(i),
              cached,
              some ? (double) cached / promptTokens : null,
              some ? share(samplingError(i), promptTokens) : null,
              some ? share(fleet.decisionsError(), promptTokens) : null,
              fleet.ttft()));
    }
    return capacities;
  }

  private static Double share(OptionalDouble tokens, long promptTokens) {
    return tokens.isPresent() ? Math.min(1, tokens.getAsDouble() / promptTokens) : null;
  }

  /** The errors that sampling makes, which do not know of each other; empty if one is unknown. */
  private OptionalDouble samplingError(int i) {
    if (rate.share() == 1) {
      return OptionalDouble.of(0);
    }
    ShadowFleet fleet = fleets.get(i);
    OptionalDouble decisions = fleet.decisionsError();
    if (decisions.isEmpty()) {
      return decisions;
    }
    double tipped = Math.sqrt(1 - rate.share()) * decisions.getAsDouble();
    return OptionalDouble.of(
        Math.hypot(Math.hypot(fleet.hits().tokensError(), tipped), capacityError(i)));
  }

  /**
   * What is asked of a cache of C sampled blocks may be a little more or less than the sample's
   * share of all blocks, as if the cache were smaller or larger by 1/√C: times what the hits change
   * with the logarithm of the capacity, between the capacities beside this one.
   */
  private double capacityError(int i) {
    int below = Math.max(0, i - 1);
    int above = Math.min(factors.size() - 1, i + 1);
    int blocks = fleets.get(i).capacity();
    if (below == above || blocks == 0) {
      return 0;
    }
    double change = fleets.get(above).hits().tokens() - fleets.get(below).hits().tokens();
    double slope = Math.abs(change) / Math.log(factors.get(above) / factors.get(below));
    return Z * slope * Math.sqrt((1 - rate.share()) / blocks);
  }

  void beginWindow() {
    fleets.forEach(ShadowFleet::beginWindow);
  }

  void writeTo(DataOutput out) throws IOException {
    for (ShadowFleet fleet : fleets) {
      fleet.writeTo(out);
    }
  }

  void readFrom(DataInput in) throws IOException {
    for (ShadowFleet fleet : fleets) {
      fleet.readFrom(in);
    }
  }
}
