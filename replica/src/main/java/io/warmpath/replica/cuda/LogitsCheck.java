package io.warmpath.replica.cuda;

import io.warmpath.replica.engine.BatchEngine;
import io.warmpath.replica.engine.CacheListener;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.engine.KvCache;
import io.warmpath.replica.engine.Sequence;
import io.warmpath.replica.engine.SequenceListener;
import io.warmpath.routing.prefix.PrefixHasher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Compares a whole model's logits on a device, under the scheduler that serves requests, with those
 * of the model in Java: prompts in chunks, decoding, reused prefixes, full batches, preemption.
 */
final class LogitsCheck {

  private static final double FP16_TOLERANCE = 1e-2;
  private static final double FP32_TOLERANCE = 1e-4;

  private final TransformerModel model;
  private final CudaEngine cuda;
  private final JavaTransformer twin;
  private final double tolerance;
  private final SplittableRandom random = new SplittableRandom(11);
  private final Map<Sequence, List<float[]>> logits = new IdentityHashMap<>();
  private final List<Deviation> deviations = new ArrayList<>();

  private LogitsCheck(TransformerModel model, CudaEngine cuda) {
    this.model = model;
    this.cuda = cuda;
    twin = new JavaTransformer(model);
    tolerance = model.storage() == DataType.FP16 ? FP16_TOLERANCE : FP32_TOLERANCE;
  }

  static List<Deviation> run(DataType type) {
    TransformerModel model = TransformerModel.load("tiny").storedAs(type);
    try (CudaEngine cuda = CudaEngine.open(model)) {
      LogitsCheck check = new LogitsCheck(model, cuda);
      check.oneSequence();
      check.cachedPrefix();
      check.fullBatch();
      check.preemption();
      return check.deviations;
    }
  }

  private void oneSequence() {
    BatchEngine engine = engine(model.kvBlocks());
    Prompt prompt = new Prompt(tokens(250), 240);
    runAll(engine, prompt);
    compare("logits, prompt in chunks, then decoding", prompt);
  }

  /** Of 150 tokens of a prompt, 96 are those of another one, which ends within a block after. */
  private void cachedPrefix() {
    BatchEngine engine = engine(model.kvBlocks());
    int[] first = tokens(105);
    int[] second = tokens(154);
    System.arraycopy(first, 0, second, 0, 100);
    runAll(engine, new Prompt(first, 101));
    Prompt cached = new Prompt(second, 150);
    runAll(engine, cached);
    require(cached.sequence.cachedTokens() == 96, "no prefix was reused");
    compare("logits, cached prefix", cached);

    engine.cache().clear();
    Prompt recomputed = new Prompt(second, 150);
    runAll(engine, recomputed);
    require(recomputed.sequence.cachedTokens() == 0, "a prefix of an emptied cache was reused");
    compare("logits, recomputed prefix", recomputed);
    deviations.add(
        deviation(
            "logits, cached and recomputed prefix",
            logits.get(recomputed.sequence),
            logits.get(cached.sequence)));
  }

  /** More sequences than the kernel for few rows takes; one prefills while others decode. */
  private void fullBatch() {
    BatchEngine engine = engine(model.kvBlocks());
    Prompt[] prompts = prompts();
    runAll(engine, prompts);
    compare("logits, 14 sequences in a batch", prompts);
  }

  private void preemption() {
    BatchEngine engine = engine(40);
    Prompt[] prompts = prompts();
    runAll(engine, prompts);
    require(engine.preemptions() > 0, "no sequence was preempted");
    compare("logits, preempted and recomputed", prompts);
  }

  private Prompt[] prompts() {
    return IntStream.range(0, 14)
        .mapToObj(i -> new Prompt(tokens(31 + 9 * i + 24), 31 + 9 * i))
        .toArray(Prompt[]::new);
  }

  /** Tokens of a prompt and of the answer after it, and the sequence made of them. */
  private final class Prompt {

    final int[] tokens;
    final Sequence sequence;

    Prompt(int[] tokens, int promptTokens) {
      this.tokens = tokens;
      PrefixHasher hasher = new PrefixHasher(model.blockTokens());
      long[] hashes = hasher.hash(PrefixHasher.root("", ""), tokens, 0, tokens.length);
      sequence =
          new Sequence(
              "check",
              hashes,
              promptTokens,
              tokens.length - promptTokens,
              tokens,
              SequenceListener.NONE);
    }

    /** Where the tokens are that the next ones are sampled after. */
    int[] sampledPositions() {
      return IntStream.range(sequence.promptTokens() - 1, tokens.length - 1).toArray();
    }
  }

  private BatchEngine engine(int kvBlocks) {
    EngineProfile profile = model.scheduling().withKvBlocks(kvBlocks);
    return new BatchEngine(profile, KvCache.of(profile, CacheListener.NONE), this::run);
  }

  private long run(List<Sequence> batch, double speed) {
    long us = cuda.run(batch, speed);
    List<Sequence> sampled = cuda.sampled();
    for (int i = 0; i < sampled.size(); i++) {
      logits.computeIfAbsent(sampled.get(i), each -> new ArrayList<>()).add(cuda.logits(i));
    }
    return us;
  }

  private static void runAll(BatchEngine engine, Prompt... prompts) {
    long nowUs = 0;
    for (Prompt prompt : prompts) {
      engine.submit(prompt.sequence, nowUs);
    }
    while (!engine.idle()) {
      nowUs = engine.startStep(engine.nextStepUs(nowUs));
      engine.finishStep();
    }
  }

  private void compare(String what, Prompt... prompts) {
    Deviation largest = new Deviation(name(what), 0, tolerance);
    for (Prompt prompt : prompts) {
      List<float[]> expected = Arrays.asList(twin.logits(prompt.tokens, prompt.sampledPositions()));
      largest = largest.or(deviation(what, expected, logits.get(prompt.sequence)));
    }
    deviations.add(largest);
  }

  private Deviation deviation(String what, List<float[]> expected, List<float[]> actual) {
    require(expected.size() == actual.size(), "not every token was sampled");
    Deviation largest = new Deviation(name(what), 0, tolerance);
    for (int i = 0; i < expected.size(); i++) {
      largest = largest.or(Deviation.of(name(what), expected.get(i), actual.get(i), tolerance));
    }
    return largest;
  }

  private String name(String what) {
    return what + ", " + model.storage().name().toLowerCase(Locale.ROOT);
  }

  private int[] tokens(int count) {
    return random.ints(count).toArray();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException("the check checks nothing: " + otherwise);
    }
  }
}
