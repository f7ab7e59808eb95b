package io.warmpath.schemas.request;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.warmpath.schemas.Require;

/**
 * A replica was chosen.
 *
 * @param context whose request
 * @param facts what the balancer knew
 * @param prefix the prompt's sampled prefix hashes, or null where prompts are not hashed
 */
@JsonPropertyOrder("v")
public record Routed(
    @JsonUnwrapped RequestContext context, @JsonUnwrapped RoutingFacts facts, PrefixSample prefix)
    implements RequestEvent {

  public Routed {
    Require.present(context, "event_time_ms");
    Require.present(facts, "prompt_tokens");
  }
}
