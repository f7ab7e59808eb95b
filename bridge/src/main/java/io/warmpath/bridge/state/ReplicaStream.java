package io.warmpath.bridge.state;

import io.warmpath.schemas.HashList;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.cache.BatchSplitter;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one replica holds over all its ranks, and the batches that say so. A block is told when the
 * first rank stores it in a medium and when the last one removes it, so that readers, who keep one
 * set a replica, hold what the replica holds.
 *
 * <p>A batch that finds no room leaves its number out. From then on nothing is told until there is
 * room for all that the replica holds: {@code cleared}, and all its blocks. For one thread.
 */
public final class ReplicaStream {

  /** Hashes after which a batch is sent without waiting for its time. */
  private static final int FULL_HASHES = 1 << 14;

  private enum Kind {
    NONE,
    STORED,
    REMOVED
  }

  private final String replica;
  private final String model;
  private final BatchSink sink;
  private final Media media = new Media();
  private final Map<Integer, HeldBlocks> held = new TreeMap<>();
  private final Map<Integer, Long> nextSeqs = new HashMap<>();
  private final List<CacheEvent> events = new ArrayList<>();
  private long incarnation;
  private long lastEventMs;
  private boolean lost;
  private long resyncs;

  /** Rank of the events that wait. */
  private int rank;

  private Kind kind = Kind.NONE;
  private int group;
  private int medium;
  private long[] hashes = new long[256];
  private int runSize;
  private int waiting;

  /** While an engine's end is noted its blocks go without a word: a new incarnation says it. */
  private boolean silent;

  /**
   * @param nowMs the time, from which on the replica is observed
   */
  public ReplicaStream(String replica, String model, long nowMs, BatchSink sink) {
    this.replica = replica;
    this.model = model;
    this.incarnation = nowMs;
    this.sink = sink;
  }

  public String replica() {
    return replica;
  }

  public String model() {
    return model;
  }

  /** When the replica's engine started, as far as was seen. */
  public long incarnation() {
    return incarnation;
  }

  /** Times that all was told anew after a loss. */
  public long resyncs() {
    return resyncs;
  }

  /** Different blocks held, those of all groups. */
  public long blocks() {
    return held.values().stream().mapToLong(HeldBlocks::size).sum();
  }

  /** Pairs of a rank's block and a medium that holds it. */
  long holdings() {
    return held.values().stream().mapToLong(HeldBlocks::holdings).sum();
  }

  /** Whether something that was told is lost, and not yet told anew. */
  public boolean isBehind() {
    return lost;
  }

  Media media() {
    return media;
  }

  HeldBlocks held(int ofGroup) {
    return held.computeIfAbsent(ofGroup, any -> new HeldBlocks());
  }

  /** Notes when the next changes happened, epoch milliseconds of the engine's clock. */
  void at(long eventMs) {
    lastEventMs = Math.min(eventMs, Require.MAX_TIME_MS);
  }

  void stored(int ofRank, int inGroup, int inMedium, long hash) {
    if (held(inGroup).add(hash, inMedium) && !silent) {
      tell(Kind.STORED, ofRank, inGroup, inMedium, hash);
    }
  }

  void removed(int ofRank, int inGroup, int inMedium, long hash) {
    if (held(inGroup).remove(hash, inMedium) && !silent) {
      tell(Kind.REMOVED, ofRank, inGroup, inMedium, hash);
    }
  }

  /** The only rank that holds anything emptied its cache. */
  void cleared(int ofRank) {
    held.values().forEach(HeldBlocks::clear);
    if (!lost) {
      turnTo(ofRank);
      endRun();
      events.add(new CacheEvent.Cleared());
      waiting++;
    }
  }

  /**
   * The engine of one rank was started anew.
   *
   * @param forget takes the rank's blocks out
   */
  void restarted(long nowMs, Runnable forget) {
    flush(nowMs);
    silent = true;
    forget.run();
    silent = false;
    newIncarnation(nowMs);
  }

  /** Nothing that was told before holds; what is held is told anew. */
  public void newIncarnation(long nowMs) {
    flush(nowMs);
    incarnation = Math.max(incarnation + 1, nowMs);
    nextSeqs.clear();
    if (!lost) {
      List<CacheEvent> all = all();
      lost = !send(0, all, nowMs);
    }
  }

  /** A batch, already counted as sent, was lost after all. */
  public void noteLoss() {
    dropWaiting();
    lost = true;
  }

  /** Sends what waits. */
  public void flush(long nowMs) {
    if (lost) {
      resync(nowMs);
      return;
    }
    endRun();
    if (!events.isEmpty()) {
      List<CacheEvent> batch = List.copyOf(events);
      events.clear();
      waiting = 0;
      lost = !send(rank, batch, lastEventMs);
    }
  }

  private void resync(long nowMs) {
    dropWaiting();
    if (sink.hasRoom()) {
      List<CacheEvent> all = new ArrayList<>();
      all.add(new CacheEvent.Cleared());
      all.addAll(all());
      lost = !send(0, all, nowMs);
      if (!lost) {
        resyncs++;
      }
    }
  }

  /** Everything that is held. */
  private List<CacheEvent> all() {
    List<CacheEvent> all = new ArrayList<>();
    held.forEach(
        (ofGroup, blocks) -> {
          for (int in = 0; in < media.size(); in++) {
            long[] list = blocks.in(in);
            if (list.length > 0) {
              all.add(
                  new CacheEvent.Stored(
                      HashList.of(list), blocks.blockTokens(), media.name(in), ofGroup));
            }
          }
        });
    return all;
  }

  private void tell(Kind what, int ofRank, int inGroup, int inMedium, long hash) {
    if (lost) {
      return;
    }
    turnTo(ofRank);
    if (kind != what || group != inGroup || medium != inMedium) {
      endRun();
      kind = what;
      group = inGroup;
      medium = inMedium;
    }
    if (runSize == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * runSize);
    }
    hashes[runSize++] = hash;
    waiting++;
    if (waiting >= FULL_HASHES) {
      flush(lastEventMs);
    }
  }

  /** A batch is of one rank. */
  private void turnTo(int ofRank) {
    if (ofRank != rank) {
      if (waiting > 0) {
        flush(lastEventMs);
      }
      rank = ofRank;
    }
  }

  private void endRun() {
    if (runSize > 0) {
      HashList list = HashList.copyOf(hashes, runSize);
      events.add(
          kind == Kind.STORED
              ? new CacheEvent.Stored(list, held(group).blockTokens(), media.name(medium), group)
              : new CacheEvent.Removed(list, media.name(medium), group));
    }
    kind = Kind.NONE;
    runSize = 0;
  }

  private void dropWaiting() {
    events.clear();
    kind = Kind.NONE;
    runSize = 0;
    waiting = 0;
  }

  private void skip(int ofRank) {
    nextSeqs.merge(ofRank, 1L, Long::sum);
  }

  /** Sends events under one number; false if any of them is lost. An empty list is a batch too. */
  private boolean send(int ofRank, List<CacheEvent> batch, long eventMs) {
    long seq = nextSeqs.getOrDefault(ofRank, 0L);
    skip(ofRank);
    List<List<CacheEvent>> parts = batch.isEmpty() ? List.of(batch) : BatchSplitter.split(batch);
    for (int i = 0; i < parts.size(); i++) {
      Integer part = parts.size() == 1 ? null : Integer.valueOf(i);
      CacheEventBatch record =
          new CacheEventBatch(
              Math.max(0, eventMs),
              replica,
              model,
              CacheEventBatch.Source.BRIDGE,
              incarnation,
              ofRank,
              seq,
              part,
              parts.get(i));
      if (!sink.offer(record)) {
        return false;
      }
    }
    return true;
  }
}
