package io.warmpath.balancer.decision;

/**
 * What is logged of decisions.
 *
 * @param sampleRate share of the requests, 0 to 1
 * @param keep records kept at most: about 150 bytes a replica in each
 */
public record DecisionLogSettings(double sampleRate, int keep) {

  public static final DecisionLogSettings DEFAULTS = new DecisionLogSettings(0, 1_000);
}
