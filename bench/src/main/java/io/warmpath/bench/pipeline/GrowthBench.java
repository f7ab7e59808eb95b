package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.bench.contender.Setup.StateBackend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Measures what more replicas cost the stats job. */
public final class GrowthBench {

  private static final List<Integer> REPLICAS = List.of(8, 64, 512);

  private final Consumer<String> progress;

  /**
   * @param progress told what is done now
   */
  public GrowthBench(Consumer<String> progress) {
    this.progress = progress;
  }

  /**
   * Measures fleets of all sizes under equal load.
   *
   * @param events events in each topic
   * @param eventsPerSecond events in a second of their own time, all replicas together
   * @param parallelism the job's
   * @param warmUpMs time that the job reads the topic before it is measured
   * @throws IllegalStateException if the job fails
   */
  public GrowthReport run(long events, int eventsPerSecond, int parallelism, long warmUpMs)
      throws IOException, InterruptedException {
    PipelinePlan plan =
        new PipelinePlan(
            Set.of(ContenderKind.STATS, ContenderKind.STATS_NO_DUPLICATES),
            List.of(parallelism),
            List.of(StateBackend.HEAP),
            warmUpMs,
            List.of());
    List<PipelineReport> sizes = new ArrayList<>();
    for (int replicas : REPLICAS) {
      Workload workload =
          Workload.before(System.currentTimeMillis(), events, replicas, eventsPerSecond);
      PipelineBench bench =
          new PipelineBench(text -> progress.accept(replicas + " replicas, " + text));
      sizes.add(bench.run(workload, plan));
    }
    return new GrowthReport(sizes);
  }
}
