package io.warmpath.balancer;

import io.warmpath.balancer.config.Effective;

/**
 * A configuration as it was read.
 *
 * @param config what it says
 * @param effective the same field by field, for people and for comparing
 */
public record LoadedConfig(BalancerConfig config, Effective effective) {}
