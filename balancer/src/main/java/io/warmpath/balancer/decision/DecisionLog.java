package io.warmpath.balancer.decision;

import io.warmpath.schemas.request.RoutingDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;

/** Keeps the newest of the decisions that are sampled. Safe for concurrent use. */
public final class DecisionLog {

  private final double sampleRate;

  /** A ring: the record of a number is at the number modulo the length. */
  private final RoutingDecision[] records;

  private long lastSeq;

  public DecisionLog(DecisionLogSettings settings) {
    this.sampleRate = settings.sampleRate();
    this.records = new RoutingDecision[settings.keep()];
  }

  /** Share of the requests that are logged. */
  public double sampleRate() {
    return sampleRate;
  }

  /** Whether the next request is to be logged; by chance, so that no client decides that. */
  public boolean samples() {
    return sampleRate > 0 && ThreadLocalRandom.current().nextDouble() < sampleRate;
  }

  /**
   * Adds a record; the oldest makes room for it.
   *
   * @param record makes the record of a number
   */
  public synchronized void add(LongFunction<RoutingDecision> record) {
    long seq = lastSeq + 1;
    records[at(seq)] = record.apply(seq);
    lastSeq = seq;
  }

  /**
   * The records kept with a number above this one, oldest first; of more than {@code most} the
   * first of them. Takes no longer than these few, however many are kept: requests wait for it.
   */
  public synchronized List<RoutingDecision> after(long seq, int most) {
    long oldest = Math.max(1, lastSeq - records.length + 1);
    long first = Math.max(seq + 1, oldest);
    List<RoutingDecision> found = new ArrayList<>();
    for (long next = first; next <= lastSeq && found.size() < most; next++) {
      found.add(records[at(next)]);
    }
    return found;
  }

  private int at(long seq) {
    return (int) (seq % records.length);
  }
}
