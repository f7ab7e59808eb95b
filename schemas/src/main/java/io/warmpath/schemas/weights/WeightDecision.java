package io.warmpath.schemas.weights;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.SixDecimals;
import java.util.List;

/**
 * Why {@link RoutingWeights} of the same epoch are what they are: the inputs and each stage of the
 * control law.
 *
 * @param model model
 * @param epoch as in the weights
 * @param validUntilMs as in the weights
 * @param windowEndMs as in the weights
 * @param backlogShare as in the weights
 * @param frozen as in the weights
 * @param replicas one step a replica, sorted by name
 * @param policies as in the weights
 */
@JsonPropertyOrder("v")
public record WeightDecision(
    String model,
    long epoch,
    long validUntilMs,
    long windowEndMs,
    @JsonSerialize(using = SixDecimals.class) double backlogShare,
    String frozen,
    List<Step> replicas,
    List<PolicyShare> policies)
    implements WarmpathRecord {

  /**
   * One replica's way through the law.
   *
   * @param replica replica
   * @param state what the control law thinks of it
   * @param interceptUs learned intercept in force
   * @param usPerToken learned slope in force
   * @param samples requests behind the window's fit, 0 if there was none
   * @param attempts attempts in the window
   * @param attemptsFailed of them failed
   * @param before weight before
   * @param target weight that the fits ask for
   * @param damped after smoothing and step limit
   * @param clamped after dead band, floor, ceiling and slow start: the published weight
   * @param reason why, one word
   */
  public record Step(
      String replica,
      ReplicaState state,
      @JsonSerialize(using = SixDecimals.class) double interceptUs,
      @JsonSerialize(using = SixDecimals.class) double usPerToken,
      long samples,
      long attempts,
      long attemptsFailed,
      @JsonSerialize(using = SixDecimals.class) double before,
      @JsonSerialize(using = SixDecimals.class) double target,
      @JsonSerialize(using = SixDecimals.class) double damped,
      @JsonSerialize(using = SixDecimals.class) double clamped,
      String reason) {

    public Step {
      Require.present(replica, "replica");
      Require.present(state, "state");
      Require.finite(interceptUs, "intercept_us");
      Require.finite(usPerToken, "us_per_token");
      Require.notNegative(samples, "samples");
      Require.notNegative(attempts, "attempts");
      Require.notNegative(attemptsFailed, "attempts_failed");
      Require.finite(before, "before");
      Require.finite(target, "target");
      Require.finite(damped, "damped");
      Require.finite(clamped, "clamped");
      Require.present(reason, "reason");
    }
  }

  public WeightDecision {
    Require.present(model, "model");
    Require.time(epoch, "epoch");
    Require.time(validUntilMs, "valid_until_ms");
    Require.time(windowEndMs, "window_end_ms");
    Require.finite(backlogShare, "backlog_share");
    replicas = Require.list(replicas, "replicas");
    policies = Require.list(policies, "policies");
  }
}
