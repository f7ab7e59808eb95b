package io.warmpath.bridge.zmq;

import io.warmpath.bridge.follow.FollowCounts;
import io.warmpath.bridge.state.BlockCounts;

/**
 * What was counted of one engine.
 *
 * @param follow of its messages
 * @param blocks of its blocks
 */
public record EngineCounts(FollowCounts follow, BlockCounts blocks) {

  public EngineCounts() {
    this(new FollowCounts(), new BlockCounts());
  }
}
