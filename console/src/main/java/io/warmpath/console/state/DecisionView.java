package io.warmpath.console.state;

import io.warmpath.schemas.weights.WeightDecision;
import io.warmpath.schemas.weights.WeightDecision.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * A decision in the log of the page: what it changed.
 *
 * @param epoch window end that decided
 * @param frozen why all weights are held, or null
 * @param steps weights that it changed, the largest change first; at most {@link #MAX_STEPS}
 * @param changed weights that it changed, in all
 * @param held weights that it left as they were
 */
public record DecisionView(long epoch, String frozen, List<Step> steps, int changed, int held) {

  static final int MAX_STEPS = 6;

  private static final int MAX_DECISIONS = 30;

  private static final Comparator<Step> LARGEST_FIRST =
      Comparator.comparingDouble((Step step) -> Math.abs(step.clamped() - step.before()))
          .reversed()
          .thenComparing(Step::replica, NaturalOrder.INSTANCE);

  static DecisionView of(WeightDecision decision) {
    List<Step> changed =
        decision.replicas().stream()
            .filter(step -> step.clamped() != step.before())
            .sorted(LARGEST_FIRST)
            .toList();
    return new DecisionView(
        decision.epoch(),
        decision.frozen(),
        changed.stream().limit(MAX_STEPS).toList(),
        changed.size(),
        decision.replicas().size() - changed.size());
  }

  /**
   * What a log shows of them, newest first: those that changed a weight or began or ended a freeze.
   *
   * @param decisions oldest first
   */
  static List<DecisionView> log(List<WeightDecision> decisions) {
    List<DecisionView> log = new ArrayList<>();
    String frozenBefore = null;
    for (WeightDecision decision : decisions) {
      DecisionView view = of(decision);
      if (view.changed > 0 || !Objects.equals(frozenBefore, view.frozen)) {
        log.add(view);
      }
      frozenBefore = view.frozen;
    }
    Collections.reverse(log);
    return List.copyOf(log.subList(0, Math.min(MAX_DECISIONS, log.size())));
  }
}
