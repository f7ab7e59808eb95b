package io.warmpath.lab.verify;

import io.warmpath.schemas.weights.WeightDecision;
import java.util.Comparator;

/**
 * Whose decision it is, and on which window.
 *
 * @param epoch end of the window
 * @param model model
 */
record DecisionKey(long epoch, String model) implements Comparable<DecisionKey> {

  private static final Comparator<DecisionKey> ORDER =
      Comparator.comparing(DecisionKey::model).thenComparingLong(DecisionKey::epoch);

  static DecisionKey of(WeightDecision decision) {
    return new DecisionKey(decision.epoch(), decision.model());
  }

  /** Reads what {@link #toString} wrote. */
  static DecisionKey parse(String key) {
    int bar = key.indexOf('|');
    return new DecisionKey(Long.parseLong(key.substring(0, bar)), key.substring(bar + 1));
  }

  @Override
  public int compareTo(DecisionKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return epoch + "|" + model;
  }
}
