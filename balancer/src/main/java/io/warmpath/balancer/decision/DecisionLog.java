package io.warmpath.balancer.decision;

import io.warmpath.schemas.request.RoutingDecision;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;

/** Keeps the newest of the decisions that are sampled. Safe for concurrent use. */
public final class DecisionLog {

  private final double sampleRate;
  private final int keep;
  private final ArrayDeque<RoutingDecision> records = new ArrayDeque<>();
  private long lastSeq;

  public DecisionLog(DecisionLogSettings settings) {
    this.sampleRate = settings.sampleRate();
    this.keep = settings.keep();
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
    if (records.size() == keep) {
      records.removeFirst();
    }
    records.addLast(record.apply(++lastSeq));
  }

  /** The records kept with a number above this one, oldest first. */
  public synchronized List<RoutingDecision> after(long seq) {
    return records.stream().filter(record -> record.seq() > seq).toList();
  }
}
