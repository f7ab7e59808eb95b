package io.warmpath.balancer;

import io.warmpath.schemas.config.Effective;
import java.nio.file.Path;
import java.util.List;

/**
 * A configuration as it was read.
 *
 * @param config what it says
 * @param effective the same field by field, for people and for comparing
 * @param files other files that it names, whose contents are part of it
 */
public record LoadedConfig(BalancerConfig config, Effective effective, List<Path> files) {}
