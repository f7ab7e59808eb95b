package io.warmpath.balancer.decision;

/**
 * A policy and the share of the conversations that it routes.
 *
 * @param policy name of the policy
 * @param share relative to the other arms' shares, greater than 0
 */
public record Arm(String policy, double share) {}
