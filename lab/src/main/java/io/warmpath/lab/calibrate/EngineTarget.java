package io.warmpath.lab.calibrate;

import io.warmpath.replica.cuda.CudaEngine;
import io.warmpath.replica.engine.BatchEngine;
import io.warmpath.replica.engine.CacheListener;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.engine.KvCache;
import io.warmpath.replica.engine.Sequence;
import io.warmpath.replica.engine.SequenceListener;
import io.warmpath.replica.engine.StepExecutor;
import io.warmpath.routing.prefix.PrefixHasher;
import java.util.Arrays;
import java.util.List;

/**
 * An engine of this process in virtual time: a step takes what the model says, or, where it is
 * computed, what the GPU took by its own events.
 */
public final class EngineTarget implements CalibrationTarget {

  private final String name;
  private final BatchEngine engine;
  private final PrefixHasher hasher;
  private final Runnable onClose;
  private long nowUs;

  /**
   * An idle engine with an empty cache.
   *
   * @param executor computes steps and says how long they took; null to model them
   */
  EngineTarget(String name, EngineProfile profile, StepExecutor executor, Runnable onClose) {
    this.name = name;
    this.onClose = onClose;
    engine = new BatchEngine(profile, KvCache.of(profile, CacheListener.NONE), executor);
    hasher = new PrefixHasher(profile.blockTokens());
  }

  /** The modelled engine. */
  public static EngineTarget modelled(EngineProfile profile) {
    return new EngineTarget("modelled:" + profile.name(), profile, null, () -> {});
  }

  /**
   * The CUDA engine.
   *
   * @param profile of which the scheduler's limits are used
   * @param cuda is closed with the target
   */
  public static EngineTarget cuda(EngineProfile profile, CudaEngine cuda) {
    return new EngineTarget("cuda:" + cuda.model().name(), profile, cuda.byGpuTime(), cuda::close);
  }

  /** One sequence and when its tokens came. */
  private final class Stream implements SequenceListener {
    final Sequence sequence;
    final long sentUs = nowUs;
    long firstTokenUs;
    long endUs;

    Stream(int[] prompt, int outputTokens) {
      long[] hashes = hasher.hash(PrefixHasher.root("", ""), prompt, 0, prompt.length);
      // What is generated is not looked at: any tokens will do.
      int[] tokens = Arrays.copyOf(prompt, prompt.length + outputTokens);
      sequence = new Sequence("probe", hashes, prompt.length, outputTokens, tokens, this);
      engine.submit(sequence, nowUs);
    }

    @Override
    public void onFirstToken(long timeUs) {
      firstTokenUs = timeUs;
    }

    @Override
    public void onFinished(long timeUs) {
      endUs = timeUs;
    }

    boolean started() {
      return sequence.generatedTokens() > 0;
    }

    boolean ended() {
      return sequence.state() == Sequence.State.FINISHED;
    }

    ProbeTiming timing() {
      return new ProbeTiming(
          sentUs, firstTokenUs, endUs, sequence.outputTokens(), sequence.cachedTokens());
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<ProbeTiming> sendTogether(List<int[]> prompts, int outputTokens) {
    List<Stream> streams = submit(prompts, outputTokens);
    while (!streams.stream().allMatch(Stream::ended)) {
      runNextEvent();
    }
    return streams.stream().map(Stream::timing).toList();
  }

  @Override
  public DecodingStreams startDecoding(List<int[]> prompts, int outputTokens) {
    List<Stream> streams = submit(prompts, outputTokens);
    while (!streams.stream().allMatch(Stream::started)) {
      runNextEvent();
    }
    return new DecodingStreams() {
      @Override
      public boolean allRunning() {
        return streams.stream().noneMatch(Stream::ended);
      }

      @Override
      public long generatedTokens() {
        return streams.stream().mapToLong(stream -> stream.sequence.generatedTokens()).sum();
      }

      @Override
      public void end() {
        streams.forEach(stream -> engine.abort(stream.sequence));
      }
    };
  }

  private List<Stream> submit(List<int[]> prompts, int outputTokens) {
    return prompts.stream().map(prompt -> new Stream(prompt, outputTokens)).toList();
  }

  @Override
  public void pause(long micros) {
    long untilUs = nowUs + micros;
    while (nextEventUs() <= untilUs) {
      runNextEvent();
    }
    nowUs = untilUs;
  }

  private long nextEventUs() {
    return engine.stepping() ? engine.stepEndUs() : engine.nextStepUs(nowUs);
  }

  private void runNextEvent() {
    nowUs = nextEventUs();
    if (engine.stepping()) {
      engine.finishStep();
    } else {
      engine.startStep(nowUs);
    }
  }

  @Override
  public void close() {
    onClose.run();
  }
}
