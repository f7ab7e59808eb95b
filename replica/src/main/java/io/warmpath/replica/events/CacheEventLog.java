package io.warmpath.replica.events;

import io.warmpath.replica.engine.CacheListener;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Collects cache events between two batches, in order. The engine's thread writes, the publisher's
 * drains. Where nobody drains, it holds a bounded number and then loses events until the next
 * drain, which says so.
 */
public final class CacheEventLog implements CacheListener {

  /** Most hashes held, 2 MiB of them. */
  static final int MAX_HASHES = 1 << 18;

  /** Most events held. */
  static final int MAX_EVENTS = 1 << 14;

  private enum Run {
    NONE,
    STORED,
    REMOVED
  }

  /**
   * What was collected.
   *
   * @param events in order
   * @param lastEventMs time of the last one, epoch milliseconds
   * @param lostAfter whether events after them were lost
   * @param restart the engine's counters where it was started anew before them, else null
   */
  public record Drained(
      List<CacheEvent> events, long lastEventMs, boolean lostAfter, TokenCounters restart) {}

  private final int blockTokens;
  private final LongSupplier epochMs;
  private List<CacheEvent> events = new ArrayList<>();
  private Run run = Run.NONE;
  private long[] hashes = new long[256];
  private int runSize;
  private int hashCount;
  private long lastEventMs;
  private boolean losing;
  private TokenCounters restart;

  /**
   * @param blockTokens tokens a block
   * @param epochMs the wall clock
   */
  public CacheEventLog(int blockTokens, LongSupplier epochMs) {
    this.blockTokens = blockTokens;
    this.epochMs = epochMs;
  }

  @Override
  public synchronized void onStored(long hash) {
    add(Run.STORED, hash);
  }

  @Override
  public synchronized void onRemoved(long hash) {
    add(Run.REMOVED, hash);
  }

  @Override
  public synchronized void onCleared() {
    add(new CacheEvent.Cleared());
  }

  /** A prompt was computed. */
  public synchronized void onPrefill(CacheEvent.Prefill prefill) {
    add(prefill);
  }

  /** Forgets everything: the engine was started anew, and what it had not told is lost. */
  public synchronized void restart(TokenCounters counters) {
    drain();
    restart = counters;
  }

  /** Takes all events out. */
  public synchronized Drained drain() {
    endRun();
    Drained drained = new Drained(events, lastEventMs, losing, restart);
    events = new ArrayList<>();
    hashCount = 0;
    losing = false;
    restart = null;
    return drained;
  }

  private void add(CacheEvent event) {
    endRun();
    if (admits()) {
      events.add(event);
      lastEventMs = epochMs.getAsLong();
    }
  }

  private void add(Run kind, long hash) {
    if (run != kind) {
      endRun();
      if (!admits()) {
        return;
      }
      run = kind;
      lastEventMs = epochMs.getAsLong();
    }
    if (!admits()) {
      return;
    }
    if (runSize == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * runSize);
    }
    hashes[runSize++] = hash;
    hashCount++;
  }

  /** Once one event is lost, all are until the next drain: what is kept has no hole inside. */
  private boolean admits() {
    losing |= hashCount >= MAX_HASHES || events.size() >= MAX_EVENTS;
    return !losing;
  }

  private void endRun() {
    if (runSize > 0) {
      HashList list = HashList.copyOf(hashes, runSize);
      events.add(
          run == Run.STORED
              ? new CacheEvent.Stored(list, blockTokens, CacheEvent.GPU, 0)
              : new CacheEvent.Removed(list, CacheEvent.GPU, 0));
    }
    run = Run.NONE;
    runSize = 0;
  }
}
