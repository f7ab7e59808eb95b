package io.warmpath.lab.verify;

import io.warmpath.jobs.weights.WeightsDecider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares each decision on weights with what the law decides on the same rows.
 *
 * <p>The law remembers. Where the rows that it first read are gone, its replay begins without that
 * memory, and a model's decisions are undetermined until {@value #STEPS_IN_STEP} in a row were
 * equal: all that the law remembers of speeds and weights is in a decision.
 */
final class DecisionComparison {

  /** A minute: so long the law looks back by itself. */
  static final int STEPS_IN_STEP = 12;

  private final FinalRecords decisions;
  private final List<String> sources;
  private final boolean fromTheFirstRow;
  private final long untilMs;
  private final Findings findings = new Findings(Difference.Kind.DECISION);

  /**
   * @param decisions what was published as source 0, and each replay's as one further
   * @param sources names of the sources
   * @param fromTheFirstRow whether the replays began with the first row there ever was
   * @param untilMs later decisions are left out
   */
  DecisionComparison(
      FinalRecords decisions, List<String> sources, boolean fromTheFirstRow, long untilMs) {
    this.decisions = decisions;
    this.sources = sources;
    this.fromTheFirstRow = fromTheFirstRow;
    this.untilMs = untilMs;
  }

  /**
   * Compares all.
   *
   * @param publishedTwice decisions of which copies were published that differ
   */
  Findings run(Collection<String> publishedTwice) throws IOException {
    publishedTwice.stream()
        .map(DecisionKey::parse)
        .forEach(key -> findings.publishedTwice(key.toString(), startMs(key), key.epoch()));
    Map<String, List<DecisionKey>> byModel = new TreeMap<>();
    decisions.keys().stream()
        .map(DecisionKey::parse)
        .filter(key -> key.epoch() <= untilMs)
        .sorted()
        .forEach(key -> byModel.computeIfAbsent(key.model(), any -> new ArrayList<>()).add(key));
    for (List<DecisionKey> ofModel : byModel.values()) {
      compareReplays(ofModel);
      compareWithLive(ofModel);
    }
    return findings;
  }

  private void compareReplays(List<DecisionKey> keys) throws IOException {
    for (DecisionKey key : keys) {
      byte[] first = value(1, key);
      for (int other = 2; other < sources.size(); other++) {
        byte[] second = value(other, key);
        if (first != null || second != null) {
          findings.compareReplays(
              key.toString(),
              startMs(key),
              key.epoch(),
              first,
              sources.get(1),
              second,
              sources.get(other));
        }
      }
    }
  }

  private void compareWithLive(List<DecisionKey> keys) throws IOException {
    long lastPublished =
        keys.stream()
            .filter(key -> decisions.has(0, key.toString()))
            .mapToLong(DecisionKey::epoch)
            .max()
            .orElse(Long.MIN_VALUE);
    int inStep = fromTheFirstRow ? STEPS_IN_STEP : 0;
    for (DecisionKey key : keys) {
      if (key.epoch() > lastPublished) {
        undetermined(Reason.NOT_DECIDED, key);
      } else if (inStep < STEPS_IN_STEP) {
        boolean equal = FieldDifference.between(value(0, key), value(1, key)) == null;
        inStep = equal ? inStep + 1 : 0;
        undetermined(Reason.STATE_UNKNOWN, key);
      } else {
        findings.compareWithLive(
            key.toString(),
            startMs(key),
            key.epoch(),
            value(0, key),
            value(1, key),
            sources.get(1));
      }
    }
  }

  private void undetermined(Reason reason, DecisionKey key) {
    findings.undetermined(reason, WeightsDecider.DECIDING_WINDOW_MS, key.epoch());
  }

  private byte[] value(int source, DecisionKey key) throws IOException {
    return decisions.value(source, key.toString());
  }

  private static long startMs(DecisionKey key) {
    return key.epoch() - WeightsDecider.DECIDING_WINDOW_MS;
  }
}
