package io.warmpath.balancer;

import io.warmpath.balancer.config.Effective;
import java.nio.file.Path;
import java.util.List;

/**
 * A configuration as it was read.
 *
 * @param config what it says
 * @param effective the same field by field, for people and for comparing
 */
public record LoadedConfig(BalancerConfig config, Effective effective) {

  /** Other files that it names and that count as part of it. */
  public List<Path> files() {
    return List.of();
  }
}
