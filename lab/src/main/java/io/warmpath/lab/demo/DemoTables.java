package io.warmpath.lab.demo;

import io.warmpath.lab.demo.DemoReport.Promise;
import io.warmpath.lab.demo.DemoReport.RatioBand;
import io.warmpath.lab.founding.PublishedFigures;
import io.warmpath.lab.screen.Remaining;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.screen.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Shows a demo as text. */
public final class DemoTables implements DemoScreen {

  private static final String NONE = "–";

  /** A tenth of the time to first token of a warm turn. */
  private static final double BUSY_US = 10_000;

  private final Screen screen;
  private volatile Remaining remaining = Remaining.from(System.nanoTime());

  public DemoTables(Screen screen) {
    this.screen = screen;
  }

  @Override
  public void note(String text) {
    screen.line(text);
  }

  @Override
  public void armStarts(String policy) {
    remaining = Remaining.from(System.nanoTime());
    screen.line("Playing " + policy + ", caches cold …");
  }

  @Override
  public void armProgress(String policy, int answered, int requests) {
    screen.progress(
        "  %d of %d requests answered%s"
            .formatted(answered, requests, remaining.text(answered, requests, System.nanoTime())));
    // Where there is no line to write over, every quarter has its own.
    if (!screen.isTerminal() && answered % ((requests + 3) / 4) == 0) {
      screen.line("  %d of %d requests answered".formatted(answered, requests));
    }
  }

  @Override
  public void armDone(ArmFigures arm) {
    screen.line(
        "  n %d   RPS %.2f   TTFT p50 %s  p95 %s  p99 %s ms   hit rate %s"
            .formatted(
                arm.requests(),
                arm.rps(),
                millis(arm.ttft().p50Us()),
                millis(arm.ttft().p95Us()),
                millis(arm.ttft().p99Us()),
                percent(arm.tokenHitRate())));
    if (arm.wakeUpDelayP99Us() > BUSY_US) {
      screen.styled(
          text(
              "  @|yellow The machine was busy: 1 %% of wake-ups came %.0f ms of model time late.|@"
                  + " TTFT holds that.",
              arm.wakeUpDelayP99Us() / 1e3));
    }
  }

  @Override
  public void comparison(List<ArmFigures> arms) {
    title("By policy (model time, from llm.routing-stats)");
    print(policyTable(arms));
    title("Where the prompt went (share of all prompt tokens)");
    print(fateTable(arms));
    title("Mean TTFT by turn, ms (turn 1 is cold for every policy)");
    print(turnTable(arms));
    screen.line("");
  }

  /** A column a policy: rates and times. */
  static Table policyTable(List<ArmFigures> arms) {
    Table table = new Table().row(head(arms));
    add(table, "requests", arms, arm -> Long.toString(arm.requests()));
    add(table, "requests a second", arms, arm -> number(arm.rps()));
    add(table, "TTFT p50, ms", arms, arm -> millis(arm.ttft().p50Us()));
    add(table, "TTFT p95, ms", arms, arm -> millis(arm.ttft().p95Us()));
    add(
        table,
        "  its 95 % interval",
        arms,
        arm -> millis(arm.ttft().p95LowUs()) + "–" + millis(arm.ttft().p95HighUs()));
    add(table, "TTFT p99, ms", arms, arm -> millis(arm.ttft().p99Us()));
    add(
        table,
        "cold first turns, mean ms",
        arms,
        arm -> millis(arm.cold().meanTtftUs()) + " (n " + arm.cold().requests() + ")");
    add(
        table,
        "turns 2–10, mean ms",
        arms,
        arm -> millis(arm.warm().meanTtftUs()) + " (n " + arm.warm().requests() + ")");
    add(table, "end to end p50, s", arms, arm -> number(arm.endToEnd().p50Us() / 1e6));
    add(table, "end to end p95, s", arms, arm -> number(arm.endToEnd().p95Us() / 1e6));
    add(table, "token hit rate", arms, arm -> percent(arm.tokenHitRate()));
    add(table, "RPS to round_robin", arms, ratio(ArmFigures.Ratios::rps));
    add(table, "round_robin's p50 to it", arms, ratio(ArmFigures.Ratios::ttftP50));
    add(table, "round_robin's p95 to it", arms, ratio(ArmFigures.Ratios::ttftP95));
    add(table, "round_robin's p99 to it", arms, ratio(ArmFigures.Ratios::ttftP99));
    add(table, "round_robin's turns 2–10 to it", arms, ratio(ArmFigures.Ratios::warmMeanTtft));
    return table;
  }

  /** A column a policy: where the prompt went. */
  static Table fateTable(List<ArmFigures> arms) {
    Table table = new Table().row(head(arms));
    add(table, "delivered from cache", arms, arm -> share(arm, arm.deliveredTokens()));
    add(table, "never seen", arms, arm -> share(arm, arm.lostTokens().neverSeen()));
    add(table, "lost to capacity", arms, arm -> share(arm, arm.lostTokens().capacity()));
    add(
        table,
        "lost to load, justified",
        arms,
        arm -> share(arm, arm.lostTokens().loadJustified()));
    add(table, "lost to routing", arms, arm -> share(arm, arm.lostTokens().routing()));
    add(table, "predicted, not delivered", arms, arm -> share(arm, arm.lostTokens().indexOver()));
    add(
        table,
        "delivered, not predicted (−)",
        arms,
        arm -> share(arm, arm.lostTokens().indexUnder()));
    add(table, "avoidable", arms, arm -> share(arm, arm.avoidableTokens()));
    return table;
  }

  private static Table turnTable(List<ArmFigures> arms) {
    int turns = arms.get(0).meanTtftUsByTurn().size();
    List<String> head = new ArrayList<>(List.of("turn"));
    for (int turn = 1; turn <= turns; turn++) {
      head.add(Integer.toString(turn));
    }
    Table table = new Table().row(head);
    for (ArmFigures arm : arms) {
      List<String> row = new ArrayList<>(List.of(arm.policy()));
      arm.meanTtftUsByTurn().forEach(mean -> row.add(millis(mean)));
      table.row(row);
    }
    for (PublishedFigures published :
        List.of(PublishedFigures.ROUND_ROBIN, PublishedFigures.PREFIX_AWARE)) {
      List<String> row = new ArrayList<>(List.of("published " + published.policy()));
      published.meanTtftMsByTurn().forEach(mean -> row.add(text("%.0f", mean)));
      table.row(row);
    }
    return table;
  }

  @Override
  public void slowdownStarts(String replica) {
    title("A replica becomes slow (denser load, weighted_round_robin)");
  }

  @Override
  public void slowdown(SlowdownFigures figures) {
    screen.line(
        figures.secondsToFall() == null
            ? "  The weight of %s did not fall below %.1f; its lowest was %.2f."
                .formatted(figures.replica(), SlowdownFigures.FALLEN, figures.lowestWeight())
            : "  The weight of %s fell below %.1f after %.0f s (lowest %.2f)."
                .formatted(
                    figures.replica(),
                    SlowdownFigures.FALLEN,
                    figures.secondsToFall(),
                    figures.lowestWeight()));
    if (figures.secondsToFall() != null) {
      showRecovery(figures);
    }
    if (figures.failedRequests() > 0) {
      screen.line("  %d requests of the load failed.".formatted(figures.failedRequests()));
    }
    screen.line("");
  }

  private void showRecovery(SlowdownFigures figures) {
    screen.line(
        figures.secondsToRecover() == null
            ? "  It did not recover above %.1f; it is %.2f now."
                .formatted(SlowdownFigures.RECOVERED, figures.weightAfter())
            : "  It recovered above %.1f %.0f s after the repair."
                .formatted(SlowdownFigures.RECOVERED, figures.secondsToRecover()));
  }

  @Override
  public void verdict(DemoReport report) {
    for (RatioBand band : report.bands()) {
      screen.line(
          text(
              "  p95 of round_robin to %s: %.2f here; %.2f to %.2f in 90 %% of %d seeds, median"
                  + " %.2f; the published %.2f lies %s",
              band.policy(),
              band.measured(),
              band.band().low(),
              band.band().high(),
              band.runs(),
              band.band().median(),
              band.published(),
              band.publishedInside() ? "inside" : "outside"));
    }
    title("What should hold");
    for (Promise promise : report.promises()) {
      screen.styled(
          (promise.held() ? "  @|green yes|@  " : "  @|red no |@  ")
              + promise.claim()
              + ": "
              + promise.found());
    }
    screen.line("");
    screen.line(text("Seed %d. All of it took %.0f s.", report.seed(), report.seconds()));
  }

  private void title(String text) {
    screen.line("");
    screen.styled("@|bold " + text + "|@");
  }

  private void print(Table table) {
    table.lines().forEach(line -> screen.line("  " + line));
  }

  private static List<String> head(List<ArmFigures> arms) {
    List<String> head = new ArrayList<>(List.of(""));
    arms.forEach(arm -> head.add(arm.policy()));
    return head;
  }

  private static void add(
      Table table, String name, List<ArmFigures> arms, Function<ArmFigures, String> cell) {
    List<String> row = new ArrayList<>(List.of(name));
    arms.forEach(arm -> row.add(cell.apply(arm)));
    table.row(row);
  }

  private static Function<ArmFigures, String> ratio(Function<ArmFigures.Ratios, Double> ratio) {
    return arm ->
        arm.toRoundRobin() == null ? NONE : text("%.2fx", ratio.apply(arm.toRoundRobin()));
  }

  private static String share(ArmFigures arm, long tokens) {
    return arm.promptTokens() == 0 ? NONE : text("%.1f %%", 100.0 * tokens / arm.promptTokens());
  }

  private static String percent(Double share) {
    return share == null ? NONE : text("%.1f %%", 100 * share);
  }

  private static String millis(Number micros) {
    return micros == null ? NONE : text("%.0f", micros.doubleValue() / 1e3);
  }

  private static String number(double value) {
    return text("%.2f", value);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
