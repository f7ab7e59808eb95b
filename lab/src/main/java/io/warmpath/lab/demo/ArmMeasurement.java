package io.warmpath.lab.demo;

import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.StatsRows;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.founding.FoundingWorkload;
import io.warmpath.routing.measure.DurationSketch;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;

/**
 * Takes an arm's figures from the topics: percentiles, hit rate and losses from the windows of the
 * statistics job that cover the arm, what belongs to single turns from the request events.
 */
final class ArmMeasurement {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long WINDOW_MS = 60_000;
  private static final long SLIDE_MS = 5_000;

  private final TopicHistory<RequestEvent> requests;
  private final TopicHistory<RoutingStats> stats;
  private final double timeScale;

  ArmMeasurement(
      TopicHistory<RequestEvent> requests, TopicHistory<RoutingStats> stats, double timeScale) {
    this.requests = requests;
    this.stats = stats;
    this.timeScale = timeScale;
  }

  /**
   * The figures of an arm that is over. Waits until the topics hold all of it.
   *
   * @param policy name of the arm
   * @param wakeUpDelayP99Us in real time
   * @throws IllegalStateException if they do not within a minute
   */
  ArmFigures measure(String policy, long wakeUpDelayP99Us) {
    List<Finished> turns =
        requests
            .await(events -> allTurns(events, policy), PATIENCE)
            .orElseThrow(() -> missing(policy, "its request events"));
    double startMs = turns.stream().mapToDouble(this::startMs).min().orElseThrow();
    long endMs = turns.stream().mapToLong(ArmMeasurement::endMs).max().orElseThrow();
    long coverEndMs = StatsRows.firstEndAfter(endMs, SLIDE_MS);
    List<RoutingStats> rows =
        stats
            .await(
                seen ->
                    StatsRows.cover(
                        seen,
                        policy,
                        RoutingStats.ALL,
                        (long) Math.floor(startMs),
                        coverEndMs,
                        WINDOW_MS),
                PATIENCE)
            .orElseThrow(() -> missing(policy, "the windows that cover it"));
    double rps = 1000 * turns.size() / ((endMs - startMs) * timeScale);
    return figures(policy, turns, rows, rps, wakeUpDelayP99Us * timeScale);
  }

  private static IllegalStateException missing(String policy, String what) {
    return new IllegalStateException(
        policy + ": " + what + " did not appear within " + PATIENCE.toSeconds() + " s");
  }

  private static Optional<List<Finished>> allTurns(List<Seen<RequestEvent>> events, String policy) {
    List<Finished> turns = new ArrayList<>();
    for (Seen<RequestEvent> event : events) {
      if (event.value() instanceof Finished finished
          && Turns.isOf(finished.context().requestId(), policy)) {
        turns.add(finished);
      }
    }
    return turns.size() < FoundingWorkload.REQUESTS ? Optional.empty() : Optional.of(turns);
  }

  private double startMs(Finished turn) {
    return turn.context().eventTimeMs() - turn.e2eUs() / 1000.0 / timeScale;
  }

  private static long endMs(Finished turn) {
    return turn.context().eventTimeMs();
  }

  private static ArmFigures figures(
      String policy,
      List<Finished> turns,
      List<RoutingStats> rows,
      double rps,
      double wakeUpDelayP99Us) {
    LostTokens lost = LostTokens.NONE;
    for (RoutingStats row : rows) {
      lost = lost.plus(row.lostTokens());
    }
    long prompt = sum(rows, RoutingStats::promptTokens);
    long cached = sum(rows, RoutingStats::cachedTokens);
    return new ArmFigures(
        policy,
        sum(rows, RoutingStats::requests),
        rps,
        ttft(rows),
        group(turns, turn -> turn == 1),
        group(turns, turn -> turn > 1),
        meanByTurn(turns),
        spread(turns.stream().mapToLong(Finished::e2eUs).sorted().toArray()),
        prompt == 0 ? null : (double) cached / prompt,
        prompt,
        cached,
        lost,
        sum(rows, RoutingStats::avoidableTokens),
        wakeUpDelayP99Us,
        null);
  }

  private static long sum(List<RoutingStats> rows, ToLongFunction<RoutingStats> value) {
    return rows.stream().mapToLong(value).sum();
  }

  private static ArmFigures.Ttft ttft(List<RoutingStats> rows) {
    DurationSketch merged = new DurationSketch();
    rows.stream()
        .map(row -> row.ttft().sketchB64())
        .filter(sketch -> sketch != null)
        .map(DurationSketch::fromBase64)
        .forEach(merged::merge);
    Distribution all = merged.toDistribution();
    if (all.count() == 0) {
      throw new IllegalStateException("the windows hold no first tokens");
    }
    return new ArmFigures.Ttft(
        all.count(),
        (double) all.sumUs() / all.count(),
        all.p50Us(),
        all.p95Us(),
        all.p95LowUs(),
        all.p95HighUs(),
        all.p99Us());
  }

  private static ArmFigures.Group group(List<Finished> turns, IntPredicate which) {
    long[] times =
        turns.stream()
            .filter(turn -> which.test(Turns.turn(turn.context().requestId())))
            .filter(turn -> turn.ttftUs() != null)
            .mapToLong(Finished::ttftUs)
            .toArray();
    return new ArmFigures.Group(times.length, mean(times));
  }

  private static List<Double> meanByTurn(List<Finished> turns) {
    List<Double> means = new ArrayList<>();
    for (int turn = 1; turn <= FoundingWorkload.TURNS; turn++) {
      int number = turn;
      means.add(group(turns, other -> other == number).meanTtftUs());
    }
    return means;
  }

  private static ArmFigures.Spread spread(long[] sorted) {
    return new ArmFigures.Spread(mean(sorted), quantile(sorted, 50), quantile(sorted, 95));
  }

  private static double mean(long[] values) {
    double sum = 0;
    for (long value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static long quantile(long[] sorted, int percent) {
    return sorted[(sorted.length * percent + 99) / 100 - 1];
  }
}
