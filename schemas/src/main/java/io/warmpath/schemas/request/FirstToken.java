package io.warmpath.schemas.request;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.warmpath.schemas.Require;

/**
 * The first generated token reached the balancer.
 *
 * @param context whose request
 * @param facts what the balancer knew when it chose
 * @param times how long it took
 */
@JsonPropertyOrder("v")
public record FirstToken(
    @JsonUnwrapped RequestContext context,
    @JsonUnwrapped RoutingFacts facts,
    @JsonUnwrapped FirstTokenTimes times)
    implements RequestEvent {

  public FirstToken {
    Require.present(context, "event_time_ms");
    Require.present(context.replica(), "replica");
    Require.present(facts, "prompt_tokens");
    Require.present(times, "ttft_us");
  }
}
