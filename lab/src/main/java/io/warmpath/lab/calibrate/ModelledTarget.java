package io.warmpath.lab.calibrate;

import io.warmpath.replica.engine.BatchEngine;
import io.warmpath.replica.engine.CacheListener;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.engine.KvCache;
import io.warmpath.replica.engine.Sequence;
import io.warmpath.replica.engine.SequenceListener;
import io.warmpath.routing.prefix.PrefixHasher;
import java.util.List;

/** The modelled engine in virtual time. */
public final class ModelledTarget implements CalibrationTarget {

  private final EngineProfile profile;
  private final BatchEngine engine;
  private final PrefixHasher hasher;
  private long nowUs;

  /** An idle engine with an empty cache. */
  public ModelledTarget(EngineProfile profile) {
    this.profile = profile;
    engine = new BatchEngine(profile, KvCache.of(profile, CacheListener.NONE));
    hasher = new PrefixHasher(profile.blockTokens());
  }

  /** One sequence and when its tokens came. */
  private final class Stream implements SequenceListener {
    final Sequence sequence;
    final long sentUs = nowUs;
    long firstTokenUs;
    long endUs;

    Stream(int[] prompt, int outputTokens) {
      long[] hashes = hasher.hash(PrefixHasher.root("", ""), prompt, 0, prompt.length);
      sequence = new Sequence("probe", hashes, prompt.length, outputTokens, this);
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
    return "modelled:" + profile.name();
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
    // Nothing runs outside the calls.
  }
}
