package io.warmpath.schemas.request;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.SixDecimals;
import java.util.List;

/**
 * One decision of a balancer with all that it was made from: every replica as the policy saw it.
 * Nothing in it is text of a client.
 *
 * @param seq number of the record at this balancer since its start, from 1
 * @param eventTimeMs when it was made
 * @param requestId request
 * @param traceId W3C trace id, or null
 * @param router balancer
 * @param model model
 * @param tenant name of the API key, or null
 * @param session hash of the session or conversation, or null
 * @param policy policy that decided
 * @param attempt number of the attempt, from 0
 * @param weightsEpoch epoch of the weights in force, 0 for none
 * @param replica replica that was chosen
 * @param reason why, as far as caches tell: a label of the balancer's decision counter
 * @param promptTokens prompt length
 * @param promptTokensExact whether that is a count by the model's own tokenizer
 * @param promptBlocks full blocks of the prompt
 * @param promptHash chained hash of its last full block, 16 hex digits; null where there is none
 * @param backlogShare share of a replica's backlog that a new request waits for
 * @param decisionUs time to count, hash and route the prompt
 * @param sampleRate share of the requests that are logged
 * @param candidates all replicas of the model, by their numbers
 */
@JsonPropertyOrder("v")
public record RoutingDecision(
    long seq,
    long eventTimeMs,
    String requestId,
    String traceId,
    String router,
    String model,
    String tenant,
    String session,
    String policy,
    int attempt,
    long weightsEpoch,
    String replica,
    String reason,
    long promptTokens,
    boolean promptTokensExact,
    int promptBlocks,
    String promptHash,
    @JsonSerialize(using = SixDecimals.class) double backlogShare,
    long decisionUs,
    @JsonSerialize(using = SixDecimals.class) double sampleRate,
    List<Candidate> candidates)
    implements WarmpathRecord {

  /**
   * A replica as the policy saw it.
   *
   * @param replica replica
   * @param available whether it could be chosen at all
   * @param admissible whether it also was within its load bound
   * @param cachedTokens prompt tokens that it was known to hold
   * @param uncachedTokens prompt tokens that it would have to compute
   * @param inFlight open requests on it
   * @param backlogTokens predicted uncached tokens of those without a first token
   * @param outstandingTokens uncached prompt tokens and output tokens of the open requests
   * @param weight weight in force, mean 1
   * @param interceptUs learned intercept in force
   * @param usPerToken learned slope in force; 1 for all without weights
   * @param predictedTtftUs the score of {@code adaptive}; null where it is no finite number
   */
  public record Candidate(
      String replica,
      boolean available,
      boolean admissible,
      long cachedTokens,
      long uncachedTokens,
      int inFlight,
      long backlogTokens,
      long outstandingTokens,
      @JsonSerialize(using = SixDecimals.class) double weight,
      @JsonSerialize(using = SixDecimals.class) double interceptUs,
      @JsonSerialize(using = SixDecimals.class) double usPerToken,
      @JsonSerialize(using = SixDecimals.class) Double predictedTtftUs) {

    public Candidate {
      Require.present(replica, "candidates[].replica");
      Require.measure(cachedTokens, "cached_tokens");
      Require.measure(uncachedTokens, "uncached_tokens");
      Require.notNegative(inFlight, "in_flight");
      Require.measure(backlogTokens, "backlog_tokens");
      Require.measure(outstandingTokens, "outstanding_tokens");
      Require.finite(weight, "weight");
      Require.finite(interceptUs, "intercept_us");
      Require.finite(usPerToken, "us_per_token");
      Require.finite(predictedTtftUs, "predicted_ttft_us");
    }
  }

  public RoutingDecision {
    Require.measure(seq, "seq");
    Require.time(eventTimeMs, "event_time_ms");
    Require.present(requestId, "request_id");
    Require.present(router, "router");
    Require.present(model, "model");
    Require.present(policy, "policy");
    Require.notNegative(attempt, "attempt");
    Require.time(weightsEpoch, "weights_epoch");
    Require.present(replica, "replica");
    Require.present(reason, "reason");
    Require.measure(promptTokens, "prompt_tokens");
    Require.notNegative(promptBlocks, "prompt_blocks");
    Require.finite(backlogShare, "backlog_share");
    Require.measure(decisionUs, "decision_us");
    Require.share(sampleRate, "sample_rate");
    candidates = Require.list(candidates, "candidates");
  }
}
