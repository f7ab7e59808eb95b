package io.warmpath.lab.demo;

import io.warmpath.lab.client.CompletionClient;
import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.stack.FleetAdmin;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The last act: under dense load one replica becomes half as fast, and is repaired. Shows what the
 * weights do, as the balancer is told.
 */
final class SlowdownAct {

  /**
   * Gives each replica its share by weight and nothing else. A policy that predicts would hardly
   * ask a slow replica, and so learn late that it was repaired.
   */
  private static final String POLICY = "weighted_round_robin";

  private static final double FACTOR = 0.5;
  private static final double NORMAL = 1;

  /** More than 60 samples a replica and minute, whatever the weights. */
  private static final double REQUESTS_PER_SECOND_AND_REPLICA = 2;

  private static final Duration TO_SETTLE = Duration.ofSeconds(60);
  private static final Duration TO_FALL = Duration.ofSeconds(90);
  private static final Duration TO_RECOVER = Duration.ofSeconds(180);

  /** So much of the window that decides is dense load before the replica becomes slow. */
  private static final long SETTLED_AFTER_MS = 8_000;

  private static final long SETTLED_SAMPLES = 20;
  private static final double SETTLED_LOW = 0.85;
  private static final double SETTLED_HIGH = 1.15;

  private final FleetAdmin fleet;
  private final TopicHistory<RoutingWeights> weights;
  private final String replica;
  private final Consumer<String> line;
  private long shownEpoch;

  /**
   * @param replica who becomes slow
   * @param line where each new weight is shown
   */
  SlowdownAct(
      FleetAdmin fleet,
      TopicHistory<RoutingWeights> weights,
      String replica,
      Consumer<String> line) {
    this.fleet = fleet;
    this.weights = weights;
    this.replica = replica;
    this.line = line;
  }

  SlowdownFigures play(CompletionClient client, int replicas, long seed) {
    fleet.setPolicy(POLICY);
    double rate = REQUESTS_PER_SECOND_AND_REPLICA * replicas;
    try (DenseLoad load = DenseLoad.start(client, rate, seed)) {
      long startMs = System.currentTimeMillis();
      await(startMs + SETTLED_AFTER_MS, TO_SETTLE, SlowdownAct::settled);
      double before = weight(latest());

      line.accept(replica + " becomes half as fast");
      fleet.setSpeed(replica, FACTOR);
      long slowMs = System.currentTimeMillis();
      Optional<RoutingWeights> fallen =
          await(slowMs, TO_FALL, now -> weight(now) < SlowdownFigures.FALLEN);
      RoutingWeights low = fallen.orElseGet(this::latest);

      line.accept(replica + " is repaired");
      fleet.setSpeed(replica, NORMAL);
      long repairedMs = System.currentTimeMillis();
      Optional<RoutingWeights> recovered =
          await(repairedMs, TO_RECOVER, now -> weight(now) > SlowdownFigures.RECOVERED);
      return new SlowdownFigures(
          POLICY,
          replica,
          FACTOR,
          rate,
          before,
          fallen.map(now -> secondsSince(slowMs, now)).orElse(null),
          lowestSince(slowMs),
          othersSpread(low),
          recovered
              .filter(now -> fallen.isPresent())
              .map(now -> secondsSince(repairedMs, now))
              .orElse(null),
          weight(latest()),
          load.failed());
    }
  }

  private Optional<RoutingWeights> await(
      long sinceMs, Duration patience, Predicate<RoutingWeights> wanted) {
    return weights.await(
        records -> {
          Optional<Seen<RoutingWeights>> last =
              records.isEmpty() ? Optional.empty() : Optional.of(records.get(records.size() - 1));
          last.ifPresent(seen -> show(seen.value()));
          return last.map(Seen::value).filter(now -> now.epoch() >= sinceMs).filter(wanted);
        },
        patience);
  }

  private void show(RoutingWeights now) {
    if (now.epoch() <= shownEpoch) {
      return;
    }
    shownEpoch = now.epoch();
    StringBuilder text = new StringBuilder("  weights");
    for (ReplicaWeight one : now.replicas()) {
      text.append("   %s %.2f".formatted(one.replica(), one.weight()));
    }
    if (now.frozen() != null) {
      text.append("   held: ").append(now.frozen());
    }
    line.accept(text.toString());
  }

  private static boolean settled(RoutingWeights now) {
    return !now.replicas().isEmpty()
        && now.replicas().stream()
            .allMatch(
                one ->
                    one.samples() >= SETTLED_SAMPLES
                        && one.weight() > SETTLED_LOW
                        && one.weight() < SETTLED_HIGH);
  }

  private RoutingWeights latest() {
    return weights
        .last()
        .orElseThrow(() -> new IllegalStateException("no weights were published"))
        .value();
  }

  private double weight(RoutingWeights now) {
    return now.replicas().stream()
        .filter(one -> one.replica().equals(replica))
        .mapToDouble(ReplicaWeight::weight)
        .findFirst()
        .orElse(NORMAL);
  }

  private double lowestSince(long sinceMs) {
    List<Seen<RoutingWeights>> all = weights.records();
    return all.stream()
        .filter(seen -> seen.value().epoch() >= sinceMs)
        .mapToDouble(seen -> weight(seen.value()))
        .min()
        .orElse(NORMAL);
  }

  private double othersSpread(RoutingWeights now) {
    double[] others =
        now.replicas().stream()
            .filter(one -> !one.replica().equals(replica))
            .mapToDouble(ReplicaWeight::weight)
            .sorted()
            .toArray();
    return others.length == 0 ? 1 : others[others.length - 1] / others[0];
  }

  /** By when the weights were written, not by when they were read. */
  private double secondsSince(long startMs, RoutingWeights now) {
    return weights.records().stream()
                .filter(seen -> seen.value().epoch() == now.epoch())
                .mapToLong(Seen::timestampMs)
                .findFirst()
                .orElseThrow()
            / 1000.0
        - startMs / 1000.0;
  }
}
