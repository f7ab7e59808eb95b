package io.warmpath.schemas.request;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.warmpath.schemas.Require;

/**
 * The request is over, exactly once per request.
 *
 * @param context whose request, and the replica of the attempt that was answered
 * @param facts what the balancer knew when it chose, with the engine's prompt length where it gave
 *     one
 * @param ttftUs as in {@link FirstTokenTimes}, null where no token came or the answer did not
 *     stream
 * @param upstreamTtftUs likewise
 * @param firstByteUs likewise
 * @param firstContentUs likewise
 * @param outcome how it ended
 * @param status HTTP status that the client saw, 0 where none was sent
 * @param cachedTokens prompt tokens that the engine took from its cache; null where it did not say,
 *     never 0 for unknown
 * @param outputTokens generated tokens
 * @param e2eUs request fully received → end of the answer
 * @param retries attempts beyond the first
 */
@JsonPropertyOrder("v")
public record Finished(
    @JsonUnwrapped RequestContext context,
    @JsonUnwrapped RoutingFacts facts,
    Long ttftUs,
    Long upstreamTtftUs,
    Long firstByteUs,
    Long firstContentUs,
    Outcome outcome,
    int status,
    Long cachedTokens,
    long outputTokens,
    long e2eUs,
    int retries)
    implements RequestEvent {

  public Finished {
    Require.present(context, "event_time_ms");
    Require.present(facts, "prompt_tokens");
    Require.measure(ttftUs, "ttft_us");
    Require.measure(upstreamTtftUs, "upstream_ttft_us");
    Require.measure(firstByteUs, "first_byte_us");
    Require.measure(firstContentUs, "first_content_us");
    Require.present(outcome, "outcome");
    Require.notNegative(status, "status");
    Require.measure(cachedTokens, "cached_tokens");
    Require.measure(outputTokens, "output_tokens");
    Require.measure(e2eUs, "e2e_us");
    Require.notNegative(retries, "retries");
  }

  /** The event of a request whose first token came ({@code times}) or did not (null). */
  public static Finished of(
      RequestContext context,
      RoutingFacts facts,
      FirstTokenTimes times,
      Outcome outcome,
      int status,
      Long cachedTokens,
      long outputTokens,
      long e2eUs,
      int retries) {
    return new Finished(
        context,
        facts,
        times == null ? null : times.ttftUs(),
        times == null ? null : times.upstreamTtftUs(),
        times == null ? null : times.firstByteUs(),
        times == null ? null : times.firstContentUs(),
        outcome,
        status,
        cachedTokens,
        outputTokens,
        e2eUs,
        retries);
  }
}
