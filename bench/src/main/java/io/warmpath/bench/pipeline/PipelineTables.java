package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.bench.contender.Setup.StateBackend;
import io.warmpath.lab.screen.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What {@code bench pipeline} prints for people. */
public final class PipelineTables {

  private static final List<String> HEAD =
      List.of(
          "contender",
          "parallelism",
          "state",
          "events/s",
          "x plain",
          "x source",
          "CPU µs/event",
          "checkpoint",
          "took",
          "windows right",
          "worst p95");

  private PipelineTables() {}

  /** One row a measurement, then who used the processors, then the ratios that matter. */
  public static List<String> lines(PipelineReport report) {
    Table table = new Table().row(HEAD);
    report.rows().forEach(row -> table.row(cells(report, row)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.addAll(use(report));
    lines.add("");
    lines.addAll(ratios(report));
    return lines;
  }

  private static List<String> use(PipelineReport report) {
    List<String> head = new ArrayList<>(List.of("CPU µs/event of", "parallelism", "state"));
    for (CpuUser user : CpuUser.values()) {
      head.add(user.label());
    }
    head.add("allocated bytes/event");
    Table table = new Table().row(head);
    for (PipelineRow row : report.rows()) {
      List<String> cells = new ArrayList<>(name(row));
      for (CpuUser user : CpuUser.values()) {
        cells.add(format("%.2f", row.cpuMicrosByUser().get(user)));
      }
      cells.add(format("%,.0f", row.allocatedBytesPerEvent()));
      table.row(cells);
    }
    return table.lines();
  }

  private static List<String> name(PipelineRow row) {
    return List.of(
        row.contender().label(),
        Integer.toString(row.parallelism()),
        row.contender().makesWindows() ? row.state().name().toLowerCase(Locale.ROOT) : "");
  }

  private static List<String> cells(PipelineReport report, PipelineRow row) {
    List<String> cells = new ArrayList<>(name(row));
    cells.addAll(figures(report, row));
    return cells;
  }

  private static List<String> figures(PipelineReport report, PipelineRow row) {
    OptionalDouble speed = OptionalDouble.of(row.eventsPerSecond());
    return List.of(
        format("%,.0f", row.eventsPerSecond()),
        ratio(report.ratio(speed, ContenderKind.PLAIN_CONSUMER, row.parallelism())),
        ratio(report.ratio(speed, ContenderKind.FLINK_SOURCE, row.parallelism())),
        format("%.2f", row.cpuMicrosPerEvent()),
        row.checkpoint() == null ? "" : format("%.2f MB", row.checkpoint().stateBytes() / 1e6),
        row.checkpoint() == null ? "" : row.checkpoint().durationMs() + " ms",
        row.check() == null ? "" : right(row.check()),
        row.check() == null ? "" : format("%.2f %%", 100 * row.check().worstP95Error()));
  }

  private static String right(WindowCheck check) {
    return format(
        "%,d of %,d", check.windows() - check.miscounted(), check.windows() + check.missing());
  }

  private static List<String> ratios(PipelineReport report) {
    List<String> lines = new ArrayList<>();
    for (int p : report.rows().stream().map(PipelineRow::parallelism).distinct().toList()) {
      OptionalDouble rocks = report.speed(ContenderKind.STATS, p, StateBackend.ROCKSDB);
      add(lines, p, "stats job to Flink source", stats(report, ContenderKind.FLINK_SOURCE, p));
      add(
          lines,
          p,
          "stats job without duplicate set to Flink source",
          report.ratio(ContenderKind.STATS_NO_DUPLICATES, ContenderKind.FLINK_SOURCE, p));
      add(lines, p, "stats job to Flink SQL", stats(report, ContenderKind.FLINK_SQL, p));
      add(lines, p, "stats job to Kafka Streams", stats(report, ContenderKind.KAFKA_STREAMS, p));
      add(lines, p, "RocksDB to heap", report.ratio(rocks, ContenderKind.STATS, p));
    }
    return lines;
  }

  private static OptionalDouble stats(PipelineReport report, ContenderKind to, int parallelism) {
    return report.ratio(ContenderKind.STATS, to, parallelism);
  }

  private static void add(List<String> lines, int parallelism, String what, OptionalDouble ratio) {
    if (ratio.isPresent()) {
      lines.add(format("parallelism %d, %s: %sx", parallelism, what, ratio(ratio)));
    }
  }

  private static String ratio(OptionalDouble ratio) {
    return ratio.isPresent() ? format("%.2f", ratio.getAsDouble()) : "";
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
