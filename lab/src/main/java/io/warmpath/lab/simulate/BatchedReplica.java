package io.warmpath.lab.simulate;

import io.warmpath.replica.engine.BatchEngine;
import io.warmpath.replica.engine.CacheListener;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.engine.KvCache;

/** One replica of a {@link BatchedFleet}: an engine in virtual time and what a balancer counts. */
final class BatchedReplica {

  private final int index;
  private final BatchEngine engine;
  private final SpeedTimeline speed;
  private final SpeedLearner learner;
  private long nowMicros;
  private int inFlight;
  private long backlogTokens;
  private long outstandingTokens;

  BatchedReplica(int index, EngineProfile profile, SpeedTimeline speed, SpeedLearner learner) {
    this.index = index;
    this.engine = new BatchEngine(profile, KvCache.of(profile, CacheListener.NONE));
    this.speed = speed;
    this.learner = learner;
  }

  int index() {
    return index;
  }

  int inFlight() {
    return inFlight;
  }

  /** Predicted uncached tokens of requests without a first token. */
  long backlogTokens() {
    return backlogTokens;
  }

  /** Predicted uncached and output tokens of open requests. */
  long outstandingTokens() {
    return outstandingTokens;
  }

  int storedBlocks() {
    return engine.cache().cachedBlocks();
  }

  /** Leading blocks of the first {@code limit} that are in the cache. */
  int cachedBlocks(long[] hashes, int limit) {
    KvCache cache = engine.cache();
    int blocks = 0;
    while (blocks < limit && cache.contains(hashes[blocks])) {
      blocks++;
    }
    return blocks;
  }

  void submit(ServedRequest request) {
    engine.submit(request.sequence(), request.arrivalMicros());
    nowMicros = Math.max(nowMicros, request.arrivalMicros());
    inFlight++;
    backlogTokens += request.uncachedTokens();
    outstandingTokens += request.uncachedTokens() + request.outputTokens();
  }

  void firstToken(ServedRequest request) {
    backlogTokens -= request.uncachedTokens();
    learner.firstToken(
        new FirstTokenSample(
            index,
            request.arrivalMicros() + request.ttftMicros(),
            request.promptTokens(),
            request.promptTokens() - request.cachedTokens(),
            request.loadTokens(),
            request.ttftMicros()));
  }

  void finished(ServedRequest request) {
    inFlight--;
    outstandingTokens -= request.uncachedTokens() + request.outputTokens();
  }

  /** When a step ends or can start next; {@link BatchEngine#NEVER} while there is no work. */
  long nextEventMicros() {
    return engine.stepping() ? engine.stepEndUs() : engine.nextStepUs(nowMicros);
  }

  /** Ends the step under way, or starts the next one. */
  void runNextEvent() {
    nowMicros = nextEventMicros();
    if (engine.stepping()) {
      engine.finishStep();
    } else {
      engine.setSpeed(speed.at(nowMicros));
      engine.startStep(nowMicros);
    }
  }
}
