package io.warmpath.bench.proxy;

import io.warmpath.lab.screen.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What {@code bench proxy} prints for people. */
public final class ProxyTables {

  private ProxyTables() {}

  /** A table a measure, then the balancer beside nginx. */
  public static List<String> lines(ProxyReport report) {
    List<String> lines = new ArrayList<>();
    report
        .missing()
        .forEach(kind -> lines.add(kind.label() + " is not installed and was left out."));
    if (!report.split()) {
      lines.add("There is no taskset, or one processor only: nobody had a processor of its own.");
    }
    section(lines, requests(report), report.requests().isEmpty());
    section(lines, latencies(report), report.latencies().isEmpty());
    section(lines, chunks(report), report.chunks().isEmpty());
    section(lines, memory(report), report.memory().isEmpty());
    section(lines, besideNginx(report), false);
    if (report.balancer() != null) {
      lines.add(state(report.balancer()));
    }
    return lines;
  }

  private static void section(List<String> lines, List<String> added, boolean empty) {
    if (!empty && !added.isEmpty()) {
      lines.addAll(added);
      lines.add("");
    }
  }

  private static List<String> requests(ProxyReport report) {
    Table table =
        new Table()
            .row(
                List.of(
                    "proxy", "answer", "requests/s", "x nginx", "CPU µs/request", "its processor"));
    for (RequestRow row : report.requests()) {
      boolean direct = row.contender() == ProxyKind.DIRECT;
      table.row(
          List.of(
              row.contender().label(),
              row.answer().label(),
              format("%,.0f", row.requestsPerSecond()),
              ratio(
                  row.requestsPerSecond(),
                  report.requestsPerSecond(ProxyKind.NGINX, row.answer()).orElse(0)),
              direct ? "" : format("%.1f", row.cpuMicrosPerRequest()),
              direct ? "" : format("%.0f %%", 100 * row.coreShare())));
    }
    return table.lines();
  }

  private static List<String> latencies(ProxyReport report) {
    Table table = new Table().row(timeHead("at %,d/s".formatted(report.plan().rate())));
    for (LatencyRow row : report.latencies()) {
      Delays direct = report.latency(ProxyKind.DIRECT, row.answer());
      table.row(times(row.contender(), row.answer(), row.time(), direct));
    }
    return table.lines();
  }

  private static List<String> chunks(ProxyReport report) {
    Table table = new Table().row(timeHead("%d streams".formatted(report.plan().streams())));
    for (ChunkRow row : report.chunks()) {
      Delays direct = report.chunks(ProxyKind.DIRECT);
      table.row(times(row.contender(), AnswerForm.PACED, row.time(), direct));
    }
    return table.lines();
  }

  private static List<String> memory(ProxyReport report) {
    Table table =
        new Table()
            .row(
                List.of(
                    "minute", "answer", "requests", "heap kB", "process kB", "files", "threads"));
    for (MemoryRow row : report.memory()) {
      table.row(
          List.of(
              format("%d", row.minute()),
              row.answer().label(),
              format("%,d", row.requests()),
              format("%,d", row.heapBytes() / 1024),
              format("%,d", row.residentBytes() / 1024),
              format("%d", row.openFiles()),
              format("%d", row.threads())));
    }
    return table.lines();
  }

  private static List<String> timeHead(String what) {
    return List.of("proxy", what, "count", "p50 µs", "p99 µs", "added p50 µs", "added p99 µs");
  }

  private static List<String> times(ProxyKind kind, AnswerForm form, Delays time, Delays direct) {
    boolean isDirect = kind == ProxyKind.DIRECT;
    return List.of(
        kind.label(),
        form.label(),
        format("%,d", time.count()),
        format("%,.0f", time.p50Us()),
        format("%,.0f", time.p99Us()),
        isDirect ? "" : format("%,.0f", time.p50Us() - direct.p50Us()),
        isDirect ? "" : format("%,.0f", time.p99Us() - direct.p99Us()));
  }

  private static List<String> besideNginx(ProxyReport report) {
    List<String> lines = new ArrayList<>();
    for (AnswerForm form : List.of(AnswerForm.JSON, AnswerForm.STREAM)) {
      add(
          lines,
          "requests/s, " + form.label(),
          report.requestsPerSecond(ProxyKind.BALANCER, form).orElse(0),
          report.requestsPerSecond(ProxyKind.NGINX, form).orElse(0),
          "at least 0.5");
    }
    for (AnswerForm form : List.of(AnswerForm.JSON, AnswerForm.STREAM)) {
      double direct = report.latency(ProxyKind.DIRECT, form).p99Us();
      add(
          lines,
          "added p99, " + form.label(),
          report.latency(ProxyKind.BALANCER, form).p99Us() - direct,
          report.latency(ProxyKind.NGINX, form).p99Us() - direct,
          "at most 2");
    }
    double direct = report.chunks(ProxyKind.DIRECT).p50Us();
    add(
        lines,
        "added p50 of a chunk",
        report.chunks(ProxyKind.BALANCER).p50Us() - direct,
        report.chunks(ProxyKind.NGINX).p50Us() - direct,
        "at most 3");
    return lines;
  }

  private static void add(
      List<String> lines, String what, double balancer, double nginx, String wanted) {
    String ratio = ratio(balancer, nginx);
    if (!ratio.isEmpty()) {
      lines.add("%s: %s of nginx (wanted: %s)".formatted(what, ratio, wanted));
    }
  }

  private static String state(BalancerState state) {
    return format(
        "Warmpath ended %,d requests and made %,d events, of which %,d were dropped and %,d are in"
            + " the topic; it followed weights to epoch %d.",
        state.requests(),
        state.events(),
        state.eventsDropped(),
        state.eventsInTopic(),
        state.weightsEpoch());
  }

  /** Empty where one of them was not measured, or is not above nothing. */
  private static String ratio(double value, double of) {
    OptionalDouble ratio =
        value > 0 && of > 0 ? OptionalDouble.of(value / of) : OptionalDouble.empty();
    return ratio.isPresent() ? format("%.2fx", ratio.getAsDouble()) : "";
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
