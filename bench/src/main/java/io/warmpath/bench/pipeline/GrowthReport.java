package io.warmpath.bench.pipeline;

import java.util.List;

/**
 * The stats job on fleets of several sizes, with the duplicate set and without.
 *
 * @param sizes one a fleet, smallest first
 */
public record GrowthReport(List<PipelineReport> sizes) {

  /** Whether all windows were right. */
  public boolean isSound() {
    return sizes.stream().allMatch(PipelineReport::isSound);
  }
}
