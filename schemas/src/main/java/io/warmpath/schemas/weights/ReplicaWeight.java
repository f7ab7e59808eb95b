package io.warmpath.schemas.weights;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.codec.SixDecimals;

/**
 * A replica's share of the traffic and the speed that a balancer should predict with.
 *
 * @param replica replica
 * @param weight share relative to the mean of 1
 * @param state what the control law thinks of it
 * @param interceptUs learned time to first token that no token explains
 * @param usPerToken learned time a token to compute
 * @param samples requests behind the fit
 * @param reason why the weight is what it is, one word
 */
public record ReplicaWeight(
    String replica,
    @JsonSerialize(using = SixDecimals.class) double weight,
    ReplicaState state,
    @JsonSerialize(using = SixDecimals.class) double interceptUs,
    @JsonSerialize(using = SixDecimals.class) double usPerToken,
    long samples,
    String reason) {

  public ReplicaWeight {
    Require.present(replica, "replica");
    Require.finite(weight, "weight");
    Require.present(state, "state");
    Require.finite(interceptUs, "intercept_us");
    Require.finite(usPerToken, "us_per_token");
    Require.notNegative(samples, "samples");
    Require.present(reason, "reason");
  }
}
