package io.warmpath.schemas.stats;

import io.warmpath.schemas.Require;
import io.warmpath.schemas.cache.ReplicaTelemetry;

/**
 * The last telemetry of each replica in the window, added up.
 *
 * @param replicas replicas that reported a GPU
 * @param memoryUsedBytes memory in use
 * @param memoryTotalBytes memory there is
 * @param source where the figures come from; null when they differ
 */
public record GpuStats(
    long replicas, long memoryUsedBytes, long memoryTotalBytes, ReplicaTelemetry.Source source) {

  public GpuStats {
    Require.notNegative(replicas, "gpu.replicas");
    Require.notNegative(memoryUsedBytes, "gpu.memory_used_bytes");
    Require.notNegative(memoryTotalBytes, "gpu.memory_total_bytes");
  }
}
