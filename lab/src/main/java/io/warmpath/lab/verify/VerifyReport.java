package io.warmpath.lab.verify;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;

/**
 * What was verified and found.
 *
 * @param parallelisms parallelisms of the replays
 * @param events events that were replayed
 * @param refused records that were replayed and hold no event
 * @param firstEventMs time of the first event
 * @param lastEventMs time of the last event
 * @param rows final rows: published against replayed, and replays against each other
 * @param decisions decisions on weights, likewise
 * @param differences what differs, the first ones of each kind
 * @param undetermined what could not be compared
 * @param unreadable published records that are neither row nor decision: where they lie, and why
 */
public record VerifyReport(
    List<Integer> parallelisms,
    long events,
    long refused,
    long firstEventMs,
    long lastEventMs,
    Compared rows,
    Compared decisions,
    List<Difference> differences,
    List<Undetermined> undetermined,
    List<String> unreadable) {

  /**
   * Counts of records.
   *
   * @param compared published ones that were compared with a replay's
   * @param different of them that differ
   * @param comparedReplays records that were compared between replays
   * @param differentReplays of them that differ
   * @param undetermined records that could not be compared with what was published
   */
  public record Compared(
      long compared,
      long different,
      long comparedReplays,
      long differentReplays,
      long undetermined) {

    static Compared of(Findings findings) {
      return new Compared(
          findings.withLive().compared(),
          findings.withLive().different(),
          findings.betweenReplays().compared(),
          findings.betweenReplays().different(),
          findings.undetermined().stream().mapToLong(Undetermined::records).sum());
    }

    /** All that differs. */
    public long differences() {
      return different + differentReplays;
    }
  }

  static VerifyReport of(
      VerifyOptions options,
      EventScan scan,
      Findings rows,
      Findings decisions,
      List<String> unreadable) {
    List<Difference> differences = new ArrayList<>(rows.differences());
    differences.addAll(decisions.differences());
    List<Undetermined> undetermined = new ArrayList<>(rows.undetermined());
    undetermined.addAll(decisions.undetermined());
    Edges edges = scan.edges();
    return new VerifyReport(
        options.parallelisms(),
        scan.events(),
        scan.refused(),
        edges.firstMs(),
        edges.lastMs(),
        Compared.of(rows),
        Compared.of(decisions),
        List.copyOf(differences),
        List.copyOf(undetermined),
        List.copyOf(unreadable));
  }

  /** All that differs, listed or not. */
  @JsonIgnore
  public long differenceCount() {
    return rows.differences() + decisions.differences();
  }

  /** Whether something was compared, and nothing differs. */
  public boolean good() {
    return rows.compared() > 0 && differenceCount() == 0 && unreadable.isEmpty();
  }
}
