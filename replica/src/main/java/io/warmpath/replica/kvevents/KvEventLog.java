package io.warmpath.replica.kvevents;

import io.warmpath.replica.engine.CacheListener;
import io.warmpath.replica.engine.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Collects cache events between two batches, in order. The engine's thread writes, the publisher's
 * drains. Where nobody drains, it holds a bounded number and then loses events until the next
 * drain, which says so.
 */
public final class KvEventLog implements CacheListener {

  /** Most token ids held, 8 MiB of them. */
  static final int MAX_TOKENS = 1 << 21;

  /** Most events held. */
  static final int MAX_EVENTS = 1 << 16;

  /** Most token ids of one event, where a block is not longer. */
  static final int EVENT_TOKENS = 1 << 13;

  /**
   * What was collected.
   *
   * @param events in order
   * @param lastEventMs time of the last one, epoch milliseconds
   * @param lostAfter whether events after them were lost
   * @param restarted whether the engine was started anew before them
   */
  record Drained(List<KvEvent> events, long lastEventMs, boolean lostAfter, boolean restarted) {}

  private final int blockTokens;
  private final LongSupplier epochMs;
  private List<KvEvent> events = new ArrayList<>();
  private int tokens;
  private long lastEventMs;
  private boolean losing;
  private boolean restarted;

  /**
   * @param blockTokens tokens a block
   * @param epochMs the wall clock
   */
  public KvEventLog(int blockTokens, LongSupplier epochMs) {
    this.blockTokens = blockTokens;
    this.epochMs = epochMs;
  }

  int blockTokens() {
    return blockTokens;
  }

  @Override
  public synchronized void onFilled(Sequence sequence, int fromBlock, int toBlock) {
    int step = Math.max(1, EVENT_TOKENS / blockTokens);
    for (int from = fromBlock; from < toBlock; from += step) {
      add(stored(sequence, from, Math.min(toBlock, from + step)));
    }
  }

  private KvEvent stored(Sequence sequence, int from, int to) {
    long[] hashes = new long[to - from];
    int[] ids = new int[hashes.length * blockTokens];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = sequence.blockHash(from + i);
    }
    for (int i = 0; i < ids.length; i++) {
      ids[i] = sequence.token(from * blockTokens + i);
    }
    return new KvEvent.BlockStored(hashes, from == 0 ? null : sequence.blockHash(from - 1), ids);
  }

  @Override
  public synchronized void onEvicted(long hash) {
    add(new KvEvent.BlockRemoved(hash));
  }

  @Override
  public synchronized void onCleared() {
    add(new KvEvent.AllBlocksCleared());
  }

  /** Forgets everything: the engine was started anew, and what it had not told is lost. */
  public synchronized void restart() {
    drain();
    restarted = true;
  }

  /** Takes all events out. */
  synchronized Drained drain() {
    Drained drained = new Drained(events, lastEventMs, losing, restarted);
    events = new ArrayList<>();
    tokens = 0;
    losing = false;
    restarted = false;
    return drained;
  }

  /** Once one event is lost, all are until the next drain: what is kept has no hole inside. */
  private void add(KvEvent event) {
    losing |= events.size() >= MAX_EVENTS || tokens + event.tokens() > MAX_TOKENS;
    if (!losing) {
      events.add(event);
      tokens += event.tokens();
      lastEventMs = epochMs.getAsLong();
    }
  }
}
