package io.warmpath.routing.control;

import io.warmpath.schemas.stats.CacheStats;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The control law: from the windows of a model, in order, to its routing weights. Pure: the same
 * windows give the same decisions, bit by bit. One instance serves any number of models, each with
 * a {@link ControlState} of its own.
 */
public final class ControlLaw {

  /** Any value serves before the first fit, as long as it is the same for all replicas. */
  private static final SpeedFit UNKNOWN = new SpeedFit(0, 50);

  private final ControlConfig config;
  private final WeightStep step;

  public ControlLaw(ControlConfig config) {
    this.config = config;
    this.step = new WeightStep(config.damping());
  }

  /**
   * Decides on one window.
   *
   * @return nothing for a window that does not end after the last one decided on, of which nothing
   *     may change
   */
  public Optional<Decision> decide(ControlState state, WindowInput input) {
    if (input.windowEndMs() <= state.epoch()) {
      return Optional.empty();
    }
    FleetSpeeds speeds = new FleetSpeeds(config, input);
    String frozen = frozen(input.total(), speeds);
    List<ReplicaControl> listed = list(state, input);
    SpeedFit fleet = state.fleet();
    if (frozen == null) {
      fleet = speeds.fleet(fleet);
      listed = learn(listed, speeds, fleet, input.windowEndMs());
    }
    SpeedFit known = fleet == null ? UNKNOWN : fleet;
    double[] targets = targets(listed, input.replicas(), known);
    List<WeightDecision.Step> log = new ArrayList<>();
    List<ReplicaControl> next = new ArrayList<>();
    for (int i = 0; i < listed.size(); i++) {
      ReplicaControl replica = listed.get(i);
      RoutingStats row = input.replicas().get(i);
      WeightStep.Result result =
          frozen == null
              ? step.from(replica.weight(), targets[i])
              : WeightStep.Result.held(replica.weight());
      next.add(replica.withWeight(result.clamped()));
      log.add(
          logged(replica, row, known, speeds.samples(row.replica()), targets[i], result, input));
    }
    return Optional.of(
        publish(input, frozen, log, new ControlState(input.windowEndMs(), fleet, next)));
  }

  /** Why nothing may be learned from the window, or null. */
  private String frozen(RoutingStats total, FleetSpeeds speeds) {
    if (total.eventsDropped() > 0) {
      return "event_gaps";
    }
    if (total.rejected() > config.maxRejectedShare() * total.requests()) {
      return "rejecting";
    }
    return speeds.isEmpty() ? "too_few_samples" : null;
  }

  /** The replicas that the window shows; what is known of others is forgotten. */
  private List<ReplicaControl> list(ControlState state, WindowInput input) {
    long now = input.windowEndMs();
    // Before its first fit, a fleet is starting: its replicas are not new, only unknown.
    long appeared = state.fleet() == null ? ReplicaControl.WARM : now;
    List<ReplicaControl> listed = new ArrayList<>();
    for (RoutingStats row : input.replicas()) {
      CacheStats cache = row.cache();
      long restarts = cache == null ? 0 : cache.restarts();
      ReplicaControl known = state.replica(row.replica());
      if (known == null || restarts > known.restarts()) {
        listed.add(ReplicaControl.of(row.replica(), appeared, restarts));
      } else {
        listed.add(aged(known, now).withRestarts(restarts));
      }
    }
    return listed;
  }

  private ReplicaControl aged(ReplicaControl replica, long now) {
    boolean grown =
        replica.warmsFromMs() != ReplicaControl.WARM
            && config.slowStart().shareAt(now - replica.warmsFromMs()) >= 1;
    return grown ? replica.warmSince(ReplicaControl.WARM) : replica;
  }

  private List<ReplicaControl> learn(
      List<ReplicaControl> listed, FleetSpeeds speeds, SpeedFit fleet, long now) {
    List<ReplicaControl> learned = new ArrayList<>();
    for (ReplicaControl replica : listed) {
      boolean blackout =
          replica.warmsFromMs() != ReplicaControl.WARM
              && now - replica.warmsFromMs() < config.slowStart().blackoutMillis();
      learned.add(blackout ? replica : speeds.learn(replica, fleet));
    }
    return learned;
  }

  /** Weights in proportion to speed and success, mean 1. */
  private double[] targets(List<ReplicaControl> listed, List<RoutingStats> rows, SpeedFit fleet) {
    double[] targets = new double[listed.size()];
    double sum = 0;
    for (int i = 0; i < targets.length; i++) {
      RoutingStats row = rows.get(i);
      double failed =
          row.attempts() == 0 ? 0 : Math.min(1, (double) row.attemptsFailed() / row.attempts());
      targets[i] =
          (1 - config.failurePenalty() * failed) / speed(listed.get(i), fleet).microsPerToken();
      sum += targets[i];
    }
    for (int i = 0; i < targets.length; i++) {
      targets[i] = sum > 0 ? targets[i] * targets.length / sum : 1;
    }
    return targets;
  }

  private static SpeedFit speed(ReplicaControl replica, SpeedFit fleet) {
    return replica.own() == null ? fleet : replica.own();
  }

  private WeightDecision.Step logged(
      ReplicaControl replica,
      RoutingStats row,
      SpeedFit fleet,
      long samples,
      double target,
      WeightStep.Result result,
      WindowInput input) {
    SpeedFit speed = speed(replica, fleet);
    boolean warming = replica.warmsFromMs() != ReplicaControl.WARM;
    double share =
        warming ? config.slowStart().shareAt(input.windowEndMs() - replica.warmsFromMs()) : 1;
    return new WeightDecision.Step(
        row.replica(),
        stateOf(replica, row, fleet),
        speed.interceptMicros(),
        speed.microsPerToken(),
        samples,
        row.attempts(),
        row.attemptsFailed(),
        replica.weight(),
        target,
        result.damped(),
        Math.max(config.damping().floor(), result.clamped() * share),
        warming ? "slow_start" : result.reason());
  }

  private ReplicaState stateOf(ReplicaControl replica, RoutingStats row, SpeedFit fleet) {
    if (replica.warmsFromMs() != ReplicaControl.WARM) {
      return ReplicaState.WARMING;
    }
    if (row.cache() != null && row.cache().gaps() > 0) {
      return ReplicaState.SUSPECT;
    }
    double slowdown = speed(replica, fleet).microsPerToken() / fleet.microsPerToken();
    return slowdown >= config.degradedFactor() ? ReplicaState.DEGRADED : ReplicaState.ACTIVE;
  }

  private Decision publish(
      WindowInput input, String frozen, List<WeightDecision.Step> log, ControlState next) {
    String model = input.total().model();
    long end = input.windowEndMs();
    long validUntil = end + config.leaseMillis();
    List<ReplicaWeight> weights = new ArrayList<>();
    for (WeightDecision.Step each : log) {
      weights.add(
          new ReplicaWeight(
              each.replica(),
              each.clamped(),
              each.state(),
              each.interceptUs(),
              each.usPerToken(),
              each.samples(),
              each.reason()));
    }
    double share = backlogShare(log);
    return new Decision(
        new RoutingWeights(model, end, validUntil, end, share, frozen, weights, config.policies()),
        new WeightDecision(model, end, validUntil, end, share, frozen, log, config.policies()),
        next);
  }

  private double backlogShare(List<WeightDecision.Step> log) {
    boolean uneven = log.stream().anyMatch(step -> step.state() == ReplicaState.DEGRADED);
    return uneven ? config.unevenBacklogShare() : config.backlogShare();
  }
}
