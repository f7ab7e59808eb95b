package io.warmpath.lab.cli;

import io.warmpath.lab.screen.Table;
import io.warmpath.lab.verify.Difference;
import io.warmpath.lab.verify.Undetermined;
import io.warmpath.lab.verify.VerifyReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;

/** What a verification found, for people. */
final class VerifyTables {

  private VerifyTables() {}

  /**
   * The lines.
   *
   * @param show at most so many differences
   */
  static List<String> of(VerifyReport report, int show) {
    List<String> lines = new ArrayList<>();
    lines.add(replayed(report));
    lines.add("");
    lines.addAll(counts(report));
    lines.addAll(undetermined(report));
    lines.addAll(unreadable(report));
    lines.addAll(differences(report, show));
    lines.add("");
    lines.add(verdict(report));
    return lines;
  }

  private static String replayed(VerifyReport report) {
    if (report.events() == 0) {
      return "No event to replay.";
    }
    return "Replayed %,d events from %s to %s (%,d records held none), at parallelism %s"
        .formatted(
            report.events(),
            Instant.ofEpochMilli(report.firstEventMs()),
            Instant.ofEpochMilli(report.lastEventMs()),
            report.refused(),
            report.parallelisms().toString().replaceAll("[\\[\\]]", ""));
  }

  private static List<String> counts(VerifyReport report) {
    return new Table()
        .row(List.of("", "compared", "different", "undetermined"))
        .row(row("final rows: published, replayed", report.rows()))
        .row(between("final rows: between replays", report.rows()))
        .row(row("decisions: published, replayed", report.decisions()))
        .row(between("decisions: between replays", report.decisions()))
        .lines();
  }

  private static List<String> row(String name, VerifyReport.Compared compared) {
    return List.of(
        name,
        "%,d".formatted(compared.compared()),
        "%,d".formatted(compared.different()),
        "%,d".formatted(compared.undetermined()));
  }

  private static List<String> between(String name, VerifyReport.Compared compared) {
    return List.of(
        name,
        "%,d".formatted(compared.comparedReplays()),
        "%,d".formatted(compared.differentReplays()),
        "");
  }

  private static List<String> undetermined(VerifyReport report) {
    if (report.undetermined().isEmpty()) {
      return List.of();
    }
    Map<String, List<Undetermined>> byReason = new LinkedHashMap<>();
    for (Undetermined each : report.undetermined()) {
      String name =
          "%s of %d s: %s"
              .formatted(
                  each.kind() == Difference.Kind.ROW ? "rows" : "decisions",
                  each.sizeMs() / 1000,
                  each.reason().text());
      byReason.computeIfAbsent(name, unseen -> new ArrayList<>()).add(each);
    }
    Table table =
        new Table().row(List.of("undetermined", "windows", "records", "first end", "last end"));
    byReason.forEach((name, all) -> table.row(range(name, all)));
    List<String> lines = new ArrayList<>(List.of(""));
    lines.addAll(table.lines());
    return lines;
  }

  private static List<String> range(String name, List<Undetermined> all) {
    LongSummaryStatistics ends = all.stream().mapToLong(Undetermined::endMs).summaryStatistics();
    return List.of(
        name,
        "%,d".formatted(all.size()),
        "%,d".formatted(all.stream().mapToLong(Undetermined::records).sum()),
        Instant.ofEpochMilli(ends.getMin()).toString(),
        Instant.ofEpochMilli(ends.getMax()).toString());
  }

  private static List<String> unreadable(VerifyReport report) {
    if (report.unreadable().isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(List.of("", "published, but not to be read"));
    report.unreadable().forEach(each -> lines.add("  " + each));
    return lines;
  }

  private static List<String> differences(VerifyReport report, int show) {
    List<String> lines = new ArrayList<>();
    for (Difference each : report.differences().stream().limit(show).toList()) {
      lines.add("");
      lines.add(
          "%s %s, window %s to %s"
              .formatted(
                  each.kind() == Difference.Kind.ROW ? "row" : "decision",
                  each.key(),
                  Instant.ofEpochMilli(each.windowStartMs()),
                  Instant.ofEpochMilli(each.windowEndMs())));
      String field = each.field().isEmpty() ? "" : each.field() + " = ";
      lines.add("  " + each.one() + ": " + field + value(each.oneValue()));
      lines.add("  " + each.other() + ": " + field + value(each.otherValue()));
    }
    long shown = Math.min(show, report.differences().size());
    if (report.differenceCount() > shown) {
      lines.add("");
      lines.add(
          "… and %,d more; --show N shows more of them, --json FILE lists up to 1,000 of each kind"
              .formatted(report.differenceCount() - shown));
    }
    return lines;
  }

  private static String value(String value) {
    return value == null ? "absent" : value;
  }

  private static String verdict(VerifyReport report) {
    long different = report.differenceCount();
    if (!report.unreadable().isEmpty()) {
      return "%,d differences, and %,d records that are none of the jobs'"
          .formatted(different, report.unreadable().size());
    }
    if (different > 0) {
      return different == 1 ? "1 difference" : "%,d differences".formatted(different);
    }
    if (report.rows().compared() == 0) {
      return "Nothing could be compared: no window of the log is determined.";
    }
    return "0 differences";
  }
}
