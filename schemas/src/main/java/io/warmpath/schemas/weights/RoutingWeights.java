package io.warmpath.schemas.weights;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.SixDecimals;
import java.util.List;

/**
 * What a balancer follows. It accepts only a higher epoch than it has.
 *
 * @param model model
 * @param epoch window end, epoch milliseconds: strictly rising, the same again on replay
 * @param validUntilMs end of the lease; after it a balancer falls back to equal weights
 * @param windowEndMs end of the window that decided
 * @param backlogShare share of a replica's backlog that a new request waits for
 * @param frozen why weights are held as they were, or null
 * @param replicas listed replicas, sorted by name
 * @param policies arms and their shares
 */
@JsonPropertyOrder("v")
public record RoutingWeights(
    String model,
    long epoch,
    long validUntilMs,
    long windowEndMs,
    @JsonSerialize(using = SixDecimals.class) double backlogShare,
    String frozen,
    List<ReplicaWeight> replicas,
    List<PolicyShare> policies)
    implements WarmpathRecord {

  public RoutingWeights {
    Require.present(model, "model");
    Require.time(epoch, "epoch");
    Require.time(validUntilMs, "valid_until_ms");
    Require.time(windowEndMs, "window_end_ms");
    Require.finite(backlogShare, "backlog_share");
    replicas = Require.list(replicas, "replicas");
    policies = Require.list(policies, "policies");
  }
}
