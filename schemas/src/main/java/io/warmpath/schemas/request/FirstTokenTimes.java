package io.warmpath.schemas.request;

import io.warmpath.schemas.Require;

/**
 * How long the client waited for the answer to begin.
 *
 * @param ttftUs request fully received → first generated token (reasoning and tool calls count, a
 *     role-only chunk does not)
 * @param upstreamTtftUs dispatch of this attempt → first generated token
 * @param firstByteUs request fully received → first byte of the answer
 * @param firstContentUs request fully received → first content token, or null
 */
public record FirstTokenTimes(
    long ttftUs, long upstreamTtftUs, long firstByteUs, Long firstContentUs) {

  public FirstTokenTimes {
    Require.measure(ttftUs, "ttft_us");
    Require.measure(upstreamTtftUs, "upstream_ttft_us");
    Require.measure(firstByteUs, "first_byte_us");
    Require.measure(firstContentUs, "first_content_us");
  }
}
