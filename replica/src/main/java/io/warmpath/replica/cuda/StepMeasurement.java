package io.warmpath.replica.cuda;

import io.warmpath.replica.cuda.CudaEngine.StepTimes;
import io.warmpath.replica.engine.BatchEngine;
import io.warmpath.replica.engine.CacheListener;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.engine.KvCache;
import io.warmpath.replica.engine.Sequence;
import io.warmpath.replica.engine.SequenceListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/** Times steps of a model on the GPU: prompts of one length, batches of one size. */
final class StepMeasurement {

  private static final int REPEATS = 5;

  /** Short, so that a decoding sequence costs hardly any attention. */
  private static final int DECODE_PROMPT = 16;

  /**
   * A step.
   *
   * @param prefillTokens prompt tokens it computed
   * @param decodeSequences sequences that computed their newest token
   * @param wallUs how long it took
   * @param gpu the GPU's part of it
   */
  record Step(int prefillTokens, int decodeSequences, long wallUs, StepTimes gpu) {}

  private final CudaEngine cuda;
  private final BatchEngine engine;
  private final SplittableRandom random = new SplittableRandom(5);
  private final List<Step> steps = new ArrayList<>();

  StepMeasurement(CudaEngine cuda) {
    this.cuda = cuda;
    EngineProfile profile = cuda.model().scheduling();
    engine = new BatchEngine(profile, KvCache.of(profile, CacheListener.NONE), this::run);
  }

  /** The step of middle length of some that compute a prompt alone. */
  Step prefill(int tokens) {
    steps.clear();
    for (int i = 0; i < REPEATS; i++) {
      runAll(1, tokens, 1);
    }
    return median(tokens, 0);
  }

  /** The step of middle length of some in which so many sequences decode and none prefills. */
  Step decode(int sequences) {
    steps.clear();
    runAll(sequences, DECODE_PROMPT, 1 + REPEATS);
    return median(0, sequences);
  }

  private Step median(int prefillTokens, int decodeSequences) {
    List<Step> alike =
        steps.stream()
            .filter(step -> step.prefillTokens() == prefillTokens)
            .filter(step -> step.decodeSequences() == decodeSequences)
            .sorted(Comparator.comparingLong(Step::wallUs))
            .toList();
    return alike.get(alike.size() / 2);
  }

  /** Without hashes, so that nothing is reused. */
  private void runAll(int sequences, int prompt, int output) {
    for (int i = 0; i < sequences; i++) {
      int[] tokens = random.ints(prompt + output).toArray();
      engine.submit(
          new Sequence("measurement", new long[0], prompt, output, tokens, SequenceListener.NONE),
          0);
    }
    while (!engine.idle()) {
      engine.startStep(0);
      engine.finishStep();
    }
  }

  private long run(List<Sequence> batch, double speed) {
    long us = cuda.run(batch, speed);
    int prefillTokens = 0;
    int decodeSequences = 0;
    for (Sequence sequence : batch) {
      if (sequence.decoding()) {
        decodeSequences++;
      } else {
        prefillTokens += sequence.scheduledTokens();
      }
    }
    steps.add(new Step(prefillTokens, decodeSequences, us, cuda.times()));
    return us;
  }
}
