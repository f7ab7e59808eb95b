package io.warmpath.schemas.weights;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.codec.SixDecimals;

/**
 * An arm's share of the conversations.
 *
 * @param policy policy of the arm
 * @param share 0 to 1
 * @param reason why, one word
 */
public record PolicyShare(
    String policy, @JsonSerialize(using = SixDecimals.class) double share, String reason) {

  public PolicyShare {
    Require.present(policy, "policy");
    Require.share(share, "share");
    Require.present(reason, "reason");
  }
}
