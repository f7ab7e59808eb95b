package io.warmpath.console.state;

import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The newest windows and weights of each model. Safe for use by several threads; each call is
 * short. Times are epoch milliseconds of one clock, which the callers bring along.
 */
public final class ConsoleState {

  /** A record may list any number of them; jobs write four. */
  private static final int MAX_CAPACITIES = 16;

  private final StateLimits limits;
  private final SortedMap<String, ModelState> models = new TreeMap<>();
  private final DeadLetterCounts deadLetters = new DeadLetterCounts();
  private long statsRecords;
  private long weightsRecords;
  private long shadowRecords;
  private long decisionRecords;
  private long deadLetterRecords;
  private long invalidRecords;
  private long refusedRecords;

  public ConsoleState(StateLimits limits) {
    this.limits = limits;
  }

  /** Takes in a row; one that is too old, too far ahead or beyond the bounds is counted instead. */
  public synchronized void accept(RoutingStats row, long nowMs) {
    statsRecords++;
    if (row.windowSizeMs() <= 0
        || isTooLong(row.policy())
        || isTooLong(row.replica())
        || row.windowEndMs() > nowMs + limits.maxAhead().toMillis()) {
      refusedRecords++;
      return;
    }
    if (row.windowEndMs() < nowMs - limits.retention().toMillis()) {
      return;
    }
    ModelState model = modelWithRoom(row.model(), nowMs);
    if (model == null || !model.accept(WindowRow.of(row))) {
      refusedRecords++;
    }
  }

  /** Takes in weights, likewise. */
  public synchronized void accept(RoutingWeights weights, long nowMs) {
    weightsRecords++;
    if (weights.epoch() > nowMs + limits.maxAhead().toMillis()
        || weights.replicas().size() > limits.maxRowsPerModel()
        || weights.replicas().stream().map(ReplicaWeight::replica).anyMatch(this::isTooLong)) {
      refusedRecords++;
      return;
    }
    if (weights.validUntilMs() < nowMs - limits.retention().toMillis()) {
      return;
    }
    ModelState model = modelWithRoom(weights.model(), nowMs);
    if (model == null) {
      refusedRecords++;
      return;
    }
    model.accept(weights);
  }

  /** Takes in what another policy would have given, likewise. */
  public synchronized void accept(ShadowStats window, long nowMs) {
    shadowRecords++;
    if (isTooLong(window.policy())
        || window.capacities().size() > MAX_CAPACITIES
        || window.windowEndMs() > nowMs + limits.maxAhead().toMillis()) {
      refusedRecords++;
      return;
    }
    if (window.windowEndMs() < nowMs - limits.retention().toMillis()) {
      return;
    }
    ModelState model = modelWithRoom(window.model(), nowMs);
    if (model == null || !model.accept(window)) {
      refusedRecords++;
    }
  }

  /** Takes in why weights are what they are, likewise. */
  public synchronized void accept(WeightDecision decision, long nowMs) {
    decisionRecords++;
    if (decision.epoch() > nowMs + limits.maxAhead().toMillis()
        || decision.replicas().size() > limits.maxRowsPerModel()
        || decision.policies().size() > limits.maxRowsPerModel()
        || (decision.frozen() != null && isTooLong(decision.frozen()))
        || decision.policies().stream()
            .anyMatch(arm -> isTooLong(arm.policy()) || isTooLong(arm.reason()))
        || decision.replicas().stream()
            .anyMatch(step -> isTooLong(step.replica()) || isTooLong(step.reason()))) {
      refusedRecords++;
      return;
    }
    if (decision.epoch() < nowMs - limits.retention().toMillis()) {
      return;
    }
    ModelState model = modelWithRoom(decision.model(), nowMs);
    if (model == null) {
      refusedRecords++;
      return;
    }
    model.accept(decision);
  }

  /** Counts a record that no job could use. */
  public synchronized void accept(DeadLetter letter) {
    deadLetterRecords++;
    deadLetters.add(letter);
  }

  /** Counts a record that could not be read. */
  public synchronized void countInvalid() {
    invalidRecords++;
  }

  private boolean isTooLong(String name) {
    return name.length() > limits.maxNameLength();
  }

  private ModelState modelWithRoom(String name, long nowMs) {
    ModelState model = models.get(name);
    if (model != null || isTooLong(name)) {
      return model;
    }
    if (models.size() >= limits.maxModels()) {
      prune(nowMs);
    }
    if (models.size() >= limits.maxModels()) {
      return null;
    }
    ModelState created = new ModelState(limits);
    models.put(name, created);
    return created;
  }

  private void prune(long nowMs) {
    models.values().forEach(model -> model.prune(nowMs));
    models.values().removeIf(ModelState::isEmpty);
  }

  /** What the page shows now. */
  public synchronized ConsoleView view(long nowMs, HistoryDepth depth) {
    prune(nowMs);
    List<ModelView> views = new ArrayList<>();
    models.forEach((name, model) -> views.add(model.view(name, nowMs, depth)));
    return new ConsoleView(
        nowMs,
        limits.retention().toMillis(),
        views,
        deadLetters.copy(),
        invalidRecords,
        refusedRecords);
  }

  /** What monitoring may be told now, by model. */
  public synchronized List<FreshResults> fresh(long nowMs) {
    prune(nowMs);
    List<FreshResults> results = new ArrayList<>();
    models.forEach((name, model) -> results.add(model.fresh(name, nowMs)));
    return results;
  }

  /** What has come in so far. */
  public synchronized RecordCounts counts() {
    return new RecordCounts(
        statsRecords,
        weightsRecords,
        shadowRecords,
        decisionRecords,
        deadLetterRecords,
        invalidRecords,
        refusedRecords);
  }

  /** Records since the console started that no job could use. */
  public synchronized long deadLetters(String topic, Reason reason) {
    return deadLetters.of(topic, reason);
  }
}
