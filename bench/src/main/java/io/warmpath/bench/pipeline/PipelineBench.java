package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Measures contenders one after the other on one topic. */
public final class PipelineBench {

  /** Time between checkpoints: short, so that they fall into the measured time. */
  public static final long CHECKPOINT_INTERVAL_MS = 3_000;

  private final Consumer<String> progress;

  /**
   * @param progress told what is done now
   */
  public PipelineBench(Consumer<String> progress) {
    this.progress = progress;
  }

  /**
   * Fills a topic and measures all.
   *
   * @throws IllegalStateException if a contender fails
   */
  public PipelineReport run(Workload workload, PipelinePlan plan)
      throws IOException, InterruptedException {
    try (EventTopic topic = fill(workload)) {
      List<PipelineRow> rows = new ArrayList<>();
      List<PipelinePlan.Entry> entries = plan.entries();
      for (PipelinePlan.Entry entry : entries) {
        progress.accept(
            "%d of %d: %s, parallelism %d"
                .formatted(
                    rows.size() + 1, entries.size(), entry.kind().label(), entry.parallelism()));
        rows.add(measure(topic, entry, plan));
      }
      return new PipelineReport(workload, topic.meanEventBytes(), CHECKPOINT_INTERVAL_MS, rows);
    }
  }

  private EventTopic fill(Workload workload) {
    return EventTopic.fill(
        workload,
        written ->
            progress.accept(
                "filling the topic: %,d of %,d events".formatted(written, workload.events())));
  }

  private static PipelineRow measure(EventTopic topic, PipelinePlan.Entry entry, PipelinePlan plan)
      throws IOException, InterruptedException {
    Truth truth = topic.truth();
    String name =
        "%s-%d-%s"
            .formatted(entry.kind(), entry.parallelism(), entry.state())
            .toLowerCase(Locale.ROOT);
    Setup setup =
        new Setup(
            topic.bootstrapServers(),
            name,
            entry.parallelism(),
            entry.state(),
            CHECKPOINT_INTERVAL_MS);
    Task task =
        new Task(
            entry.kind(),
            setup,
            plan.warmUpMs(),
            topic.workload().events(),
            truth.windows(),
            truth.lastEndMs());
    Path folder = Files.createTempDirectory("warmpath-bench-");
    try {
      MeasuredRun run = ContenderProcess.measure(task, folder, plan.jvmOptions());
      return PipelineRow.of(entry, run, truth);
    } finally {
      Folders.delete(folder);
    }
  }
}
