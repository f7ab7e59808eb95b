package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.GpuSample;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.schemas.cache.ReplicaTelemetry;

/** What telemetry adds: that the replica lives, and its GPU's memory. */
public final class TelemetryContribution implements Contribution<ReplicaTelemetry> {

  private static final long serialVersionUID = 1L;

  @Override
  public PaneKey keyOf(ReplicaTelemetry telemetry) {
    return PaneKey.of(telemetry.model(), null, telemetry.replica());
  }

  @Override
  public void add(ReplicaTelemetry telemetry, PaneKey key, OpenPanes.Second panes) {
    Pane pane = panes.of(key);
    ReplicaTelemetry.Gpu gpu = telemetry.gpu();
    if (gpu != null) {
      pane.noteGpu(
          key.replica(),
          new GpuSample(
              panes.timeMs(), gpu.memoryUsedBytes(), gpu.memoryTotalBytes(), gpu.source()));
    }
  }
}
