package io.warmpath.lab.simulate;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/**
 * What one policy gave over one trace.
 *
 * @param policy name of the policy
 * @param replicas number of replicas
 * @param capacityBlocks blocks a replica's cache holds; 0 = unbounded
 * @param requests requests of the trace
 * @param inputTokens sum of the prompts
 * @param hitTokens of them, found in a cache
 * @param hitBlocks blocks found in a cache
 * @param blocks full blocks of the prompts
 * @param ttftUs times to first token
 * @param requestsByReplica requests by index of the replica
 * @param missTokensByReplica computed prompt tokens by index of the replica
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SimulationRun(
    String policy,
    int replicas,
    int capacityBlocks,
    long requests,
    long inputTokens,
    long hitTokens,
    long hitBlocks,
    long blocks,
    TtftSummary ttftUs,
    List<Long> requestsByReplica,
    List<Long> missTokensByReplica) {

  /** Share of the prompt tokens that came from a cache. */
  public double tokenHitRate() {
    return inputTokens == 0 ? 0 : (double) hitTokens / inputTokens;
  }
}
