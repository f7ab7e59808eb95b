package io.warmpath.replica.engine;

import java.util.ArrayList;
import java.util.List;

/** An engine with round figures, and a driver in virtual time. */
final class EngineFixture {

  static final int BLOCK_TOKENS = 4;

  final BatchEngine engine;
  final KvCache cache;
  final List<String> cacheLog = new ArrayList<>();
  long nowUs;

  EngineFixture(EngineProfile profile) {
    cache =
        KvCache.of(
            profile,
            new CacheListener() {
              @Override
              public void onStored(long hash) {
                cacheLog.add("+" + hash);
              }

              @Override
              public void onRemoved(long hash) {
                cacheLog.add("-" + hash);
              }

              @Override
              public void onCleared() {
                cacheLog.add("clear");
              }
            });
    engine = new BatchEngine(profile, cache);
  }

  /** 100 µs a step, 10 a prefill token, 1 a decoding sequence; blocks of 4 tokens. */
  static EngineProfile profile(int kvBlocks, int tokenBudget, int maxSequences) {
    return new EngineProfile(
        "test",
        "made up",
        100,
        10,
        1,
        0,
        0,
        0,
        tokenBudget,
        maxSequences,
        kvBlocks,
        BLOCK_TOKENS,
        new EngineProfile.Gpu("none", 1, 1));
  }

  /** Hashes {@code from}, {@code from + 1}, … as if chained. */
  static long[] hashes(long from, int count) {
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = from + i;
    }
    return hashes;
  }

  static Sequence sequence(String id, long firstHash, int prompt, int output) {
    return sequence(id, firstHash, prompt, output, SequenceListener.NONE);
  }

  static Sequence sequence(
      String id, long firstHash, int prompt, int output, SequenceListener listener) {
    long[] hashes = hashes(firstHash, (prompt + output) / BLOCK_TOKENS);
    return new Sequence(id, hashes, prompt, output, listener);
  }

  void submit(Sequence... sequences) {
    for (Sequence sequence : sequences) {
      engine.submit(sequence, nowUs);
    }
  }

  /** One step. */
  void step() {
    nowUs = engine.startStep(engine.nextStepUs(nowUs));
    engine.finishStep();
  }

  /** Runs every step that ends by then, and starts the one that is under way. */
  void advanceTo(long untilUs) {
    while (true) {
      if (engine.stepping()) {
        if (engine.stepEndUs() > untilUs) {
          return;
        }
        nowUs = engine.stepEndUs();
        engine.finishStep();
      }
      long startUs = engine.nextStepUs(nowUs);
      if (startUs > untilUs) {
        return;
      }
      nowUs = startUs;
      engine.startStep(startUs);
    }
  }

  void runUntilIdle() {
    if (engine.stepping()) {
      nowUs = engine.stepEndUs();
      engine.finishStep();
    }
    while (!engine.idle()) {
      step();
    }
  }
}
