package io.warmpath.balancer.decision;

import io.warmpath.routing.policy.Policies;
import io.warmpath.routing.policy.RoutingPolicy;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The policies in force. A conversation stays with its arm: the hash of its session decides. The
 * policies keep state, so one caller at a time.
 */
final class Arms {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final RoutingPolicy[] policies;

  /** Sum of the shares up to and with each arm, the last one 1. */
  private final double[] upTo;

  /**
   * @throws IllegalArgumentException if a policy is unknown; the message lists those that are
   */
  Arms(List<Arm> arms) {
    policies = arms.stream().map(arm -> Policies.parse(arm.policy())).toArray(RoutingPolicy[]::new);
    double all = arms.stream().mapToDouble(Arm::share).sum();
    upTo = new double[policies.length];
    double sum = 0;
    for (int i = 0; i < upTo.length; i++) {
      sum += arms.get(i).share();
      upTo[i] = sum / all;
    }
  }

  /** The policy of a conversation. */
  RoutingPolicy of(long conversation) {
    double point = (mix(conversation) >>> 11) * 0x1p-53;
    int arm = 0;
    while (arm < policies.length - 1 && point >= upTo[arm]) {
      arm++;
    }
    return policies[arm];
  }

  /** Names of the policies, joined by commas. */
  String names() {
    return List.of(policies).stream().map(RoutingPolicy::name).collect(Collectors.joining(","));
  }

  /** The session's hash also picks homes and must not do both alike. */
  private static long mix(long hash) {
    long mixed = (hash ^ (hash >>> 32)) * GOLDEN;
    mixed = (mixed ^ (mixed >>> 29)) * GOLDEN;
    return mixed ^ (mixed >>> 32);
  }
}
