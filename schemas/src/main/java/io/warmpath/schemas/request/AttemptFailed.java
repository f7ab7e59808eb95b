package io.warmpath.schemas.request;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.warmpath.schemas.Require;

/**
 * An attempt on a replica failed; another may follow.
 *
 * @param context whose request, and the replica of the failed attempt
 * @param reason why, one word
 * @param elapsedUs dispatch of the attempt → its failure
 */
@JsonPropertyOrder("v")
public record AttemptFailed(@JsonUnwrapped RequestContext context, String reason, long elapsedUs)
    implements RequestEvent {

  public AttemptFailed {
    Require.present(context, "event_time_ms");
    Require.present(context.replica(), "replica");
    Require.present(reason, "reason");
    Require.measure(elapsedUs, "elapsed_us");
  }
}
