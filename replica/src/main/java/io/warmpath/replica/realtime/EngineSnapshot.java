package io.warmpath.replica.realtime;

import io.warmpath.replica.engine.BatchEngine;

/**
 * An engine's figures at one moment, for readers on other threads.
 *
 * @param running sequences in the batch
 * @param waiting sequences that wait
 * @param usedBlocks KV blocks that running sequences hold
 * @param queriedTokens prompt tokens looked up in the cache so far
 * @param hitTokens of them found
 * @param preemptions preemptions so far
 */
public record EngineSnapshot(
    int running,
    int waiting,
    int usedBlocks,
    long queriedTokens,
    long hitTokens,
    long preemptions) {

  /** An engine that did nothing yet. */
  public static final EngineSnapshot NOTHING = new EngineSnapshot(0, 0, 0, 0, 0, 0);

  static EngineSnapshot of(BatchEngine engine) {
    return new EngineSnapshot(
        engine.running(),
        engine.waiting(),
        engine.cache().usedBlocks(),
        engine.queriedTokens(),
        engine.hitTokens(),
        engine.preemptions());
  }
}
