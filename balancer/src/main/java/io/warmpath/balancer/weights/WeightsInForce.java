package io.warmpath.balancer.weights;

import io.warmpath.routing.control.ControlConfig;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Weights and speeds of a model's replicas, by their numbers, as routing uses them now. */
public final class WeightsInForce {

  /** Share of the backlog a request waits for, where nothing was published. */
  public static final double DEFAULT_BACKLOG_SHARE = ControlConfig.DEFAULT_BACKLOG_SHARE;

  private final long epoch;
  private final double backlogShare;
  private final double[] weight;
  private final double[] interceptMicros;
  private final double[] microsPerToken;

  private WeightsInForce(
      long epoch,
      double backlogShare,
      double[] weight,
      double[] interceptMicros,
      double[] microsPerToken) {
    this.epoch = epoch;
    this.backlogShare = backlogShare;
    this.weight = weight;
    this.interceptMicros = interceptMicros;
    this.microsPerToken = microsPerToken;
  }

  /** All replicas alike: there are no weights, or their lease has run out. */
  static WeightsInForce equal(int replicas) {
    return new WeightsInForce(
        0, DEFAULT_BACKLOG_SHARE, ones(replicas), new double[replicas], ones(replicas));
  }

  /** As published; a replica that is not listed gets the mean of those that are. */
  static WeightsInForce of(RoutingWeights published, List<String> replicas) {
    Map<String, ReplicaWeight> listed =
        published.replicas().stream()
            .collect(Collectors.toMap(ReplicaWeight::replica, w -> w, (first, last) -> last));
    return new WeightsInForce(
        published.epoch(),
        published.backlogShare(),
        column(replicas, listed, ReplicaWeight::weight, 1),
        column(replicas, listed, ReplicaWeight::interceptUs, 0),
        column(replicas, listed, ReplicaWeight::usPerToken, 1));
  }

  /** A value of 0 is none: no replica has no speed at all. The mean stands in for it. */
  private static double[] column(
      List<String> replicas,
      Map<String, ReplicaWeight> listed,
      ToDoubleFunction<ReplicaWeight> value,
      double otherwise) {
    double mean =
        listed.values().stream().mapToDouble(value).filter(v -> v > 0).average().orElse(otherwise);
    return replicas.stream()
        .mapToDouble(
            replica -> {
              ReplicaWeight own = listed.get(replica);
              double known = own == null ? 0 : value.applyAsDouble(own);
              return known > 0 ? known : mean;
            })
        .toArray();
  }

  private static double[] ones(int length) {
    double[] ones = new double[length];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** Epoch of the published weights, 0 where none are in force. */
  public long epoch() {
    return epoch;
  }

  public double backlogShare() {
    return backlogShare;
  }

  /** Share of the traffic relative to the mean of 1. */
  public double weight(int replica) {
    return weight[replica];
  }

  /** Time to first token that no token explains, µs. */
  public double interceptMicros(int replica) {
    return interceptMicros[replica];
  }

  /** Time a token to compute, µs. */
  public double microsPerToken(int replica) {
    return microsPerToken[replica];
  }
}
