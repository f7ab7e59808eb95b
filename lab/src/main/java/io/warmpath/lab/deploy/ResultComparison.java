package io.warmpath.lab.deploy;

import io.warmpath.lab.verify.FieldDifference;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Compares what a job publishes with what a candidate beside it makes of the same events, while
 * both go on. A result counts once its window is complete on both sides. As late events may change
 * it on one side a moment before the other, a difference is one only after both have gone on and
 * left it standing.
 */
final class ResultComparison {

  /** Both sides read the same log; what one of them knows the other knows after so long. */
  private static final long SETTLE_MS = 3_000;

  /** A difference as it was first seen, and where both sides were then. */
  private record Doubt(byte[] published, byte[] candidate, long publishedMs, long candidateMs) {

    boolean isOf(byte[] nowPublished, byte[] nowCandidate) {
      return Arrays.equals(published, nowPublished) && Arrays.equals(candidate, nowCandidate);
    }
  }

  private final ResultTopic topic;
  private final ResultLog published;
  private final ResultLog candidate;
  private final ExpectedChange expected;
  private final Set<String> undecided = new LinkedHashSet<>();
  private final Map<String, Doubt> doubts = new HashMap<>();
  private final Set<String> equal = new HashSet<>();
  private long fromMs = Long.MIN_VALUE;
  private long cutMs = Long.MAX_VALUE;
  private long equalAfterCut;

  /**
   * @param topic what is published, and what is made of the same by the candidate
   */
  ResultComparison(
      ResultTopic topic,
      ResultLog.Source published,
      ResultLog.Source candidate,
      ExpectedChange expected) {
    this.topic = topic;
    this.expected = expected;
    this.published = new ResultLog(published);
    this.candidate = new ResultLog(candidate);
  }

  /**
   * Leaves out what is published by now: some of its windows were complete before the savepoint
   * that the candidate begins with.
   */
  void beginAfterThis() {
    published.readOn();
    published.takeChanged();
    fromMs = published.frontMs();
  }

  /** Whether the candidate has come as far as what is published, but for a moment. */
  boolean isInStep() {
    return candidate.frontMs() != Long.MIN_VALUE
        && candidate.frontMs() + SETTLE_MS >= published.frontMs();
  }

  /** Of windows that end later, the candidate's own version publishes the results. */
  void cutHere() {
    published.readOn();
    published.takeRepeated();
    cutMs = published.frontMs();
  }

  /**
   * Reads on and compares.
   *
   * @return the first difference by time that stands
   */
  Optional<ResultDifference> compare() {
    published.readOn();
    candidate.readOn();
    undecided.addAll(published.takeChanged());
    undecided.addAll(candidate.takeChanged());
    undecided.removeIf(this::isDecided);
    return doubts.keySet().stream()
        .filter(this::stands)
        .map(this::row)
        .min(Comparator.comparingLong(ResultRow::endMs).thenComparing(ResultRow::key))
        .map(row -> told(row, difference(row)));
  }

  /** A result that came again after the cut, and was the same: a window published twice. */
  Optional<String> doubled() {
    return published.takeRepeated().stream().findFirst();
  }

  private ResultRow row(String key) {
    return Objects.requireNonNullElseGet(published.row(key), () -> candidate.row(key));
  }

  private boolean isDecided(String key) {
    ResultRow row = row(key);
    if (row.endMs() <= fromMs) {
      return true;
    }
    if (row.endMs() >= published.completeBeforeMs(row.group(), SETTLE_MS)
        || row.endMs() >= candidate.completeBeforeMs(row.group(), SETTLE_MS)) {
      return false;
    }
    if (difference(row) == null) {
      doubts.remove(key);
      if (equal.add(key) && row.endMs() > cutMs) {
        equalAfterCut++;
      }
      return true;
    }
    equal.remove(key);
    byte[] one = published.value(key);
    byte[] other = candidate.value(key);
    Doubt known = doubts.get(key);
    if (known == null || !known.isOf(one, other)) {
      doubts.put(key, new Doubt(one, other, published.frontMs(), candidate.frontMs()));
    }
    return false;
  }

  private FieldDifference difference(ResultRow row) {
    byte[] one = published.value(row.key());
    byte[] other = candidate.value(row.key());
    return row.endMs() > cutMs
        ? FieldDifference.between(one, other)
        : FieldDifference.between(one, other, expected);
  }

  private boolean stands(String key) {
    Doubt doubt = doubts.get(key);
    return published.frontMs() >= doubt.publishedMs + SETTLE_MS
        && candidate.frontMs() >= doubt.candidateMs + SETTLE_MS;
  }

  private ResultDifference told(ResultRow row, FieldDifference found) {
    return new ResultDifference(
        topic.topic(), row.key(), row.endMs(), found.field(), found.one(), found.other());
  }

  /** Results that were equal. */
  long equal() {
    return equal.size();
  }

  /** Results of windows after the cut that were equal. */
  long equalAfterCut() {
    return equalAfterCut;
  }

  /** Results that differ now, whether or not that stands. */
  long different() {
    return doubts.size();
  }

  /** How far both sides have come after the cut, milliseconds; negative before it. */
  long afterCutMs() {
    long front = Math.min(published.frontMs(), candidate.frontMs());
    return front <= cutMs ? -1 : front - Math.max(cutMs, fromMs);
  }

  String topicName() {
    return topic.topic();
  }
}
