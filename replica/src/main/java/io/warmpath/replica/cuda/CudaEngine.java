package io.warmpath.replica.cuda;

import io.warmpath.replica.cuda.CudaDriver.MemoryInfo;
import io.warmpath.replica.cuda.ForwardPass.Phase;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.engine.Sequence;
import io.warmpath.replica.engine.StepExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes an engine's steps on the GPU. A step is two passes, each between two CUDA events: first
 * the sequences that decode, then those that prefill, which may reuse blocks that the first have
 * just filled.
 *
 * <p>Tokens are not chosen by the logits: a sequence's answer is known from the start, as with the
 * modelled engine. All else is computed, the choice too, which also finds logits that are not
 * finite.
 */
public final class CudaEngine implements StepExecutor, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CudaEngine.class);
  private static final long NANOS_PER_US = 1_000;

  /** Held by whoever uses the device. */
  private final ReentrantLock using = new ReentrantLock();

  private final TransformerModel model;
  private final CudaDevice device;
  private final Kernels kernels;
  private final PhaseTimer timer;
  private final ForwardPass pass;
  private final RowBatch decodeRows;
  private final RowBatch prefillRows;
  private final List<Sequence> decoding = new ArrayList<>();
  private final List<Sequence> prefilling = new ArrayList<>();
  private final List<Sequence> sampled = new ArrayList<>();
  private StepTimes times = new StepTimes(0, 0);
  private volatile EngineProfile.Gpu lastFacts;

  /**
   * The GPU's time of a step, in microseconds.
   *
   * @param decodeUs of the sequences that computed their newest token
   * @param prefillUs of all others
   */
  public record StepTimes(double decodeUs, double prefillUs) {}

  private CudaEngine(TransformerModel model, CudaDevice device) {
    this.model = model;
    this.device = device;
    kernels = new Kernels(device, model.storage());
    timer = new PhaseTimer(device, kernels);
    pass = new ForwardPass(device, kernels, model);
    decodeRows = new RowBatch(device, model);
    prefillRows = new RowBatch(device, model);
    // The weights are made by now, or the error shows here.
    CudaDriver.synchronize(device.stream());
    lastFacts = facts();
  }

  /**
   * Makes a model on the first GPU.
   *
   * @throws CudaException if there is no driver or no GPU, or its memory is not enough
   */
  public static CudaEngine open(TransformerModel model) {
    CudaDevice device = CudaDevice.open();
    try {
      CudaEngine engine = new CudaEngine(model, device);
      LOG.info(
          "{} on {}: {} of {} MiB used",
          model.name(),
          device.name(),
          engine.lastFacts.memoryUsedBytes() >> 20,
          engine.lastFacts.memoryTotalBytes() >> 20);
      return engine;
    } catch (CudaException e) {
      closeAfter(e, device);
      throw e;
    }
  }

  private static void closeAfter(CudaException failure, CudaDevice device) {
    try {
      device.close();
    } catch (CudaException e) {
      failure.addSuppressed(e);
    }
  }

  public TransformerModel model() {
    return model;
  }

  /**
   * Computes what the sequences have scheduled.
   *
   * @param speed at most 1; below, the GPU is kept busy for longer
   * @return wall-clock time in microseconds
   * @throws CudaException if the GPU fails; it computes nothing more
   */
  @Override
  public long run(List<Sequence> batch, double speed) {
    long startNanos = System.nanoTime();
    using.lock();
    try {
      compute(batch, speed);
    } finally {
      using.unlock();
    }
    return Math.max(1, (System.nanoTime() - startNanos) / NANOS_PER_US);
  }

  /**
   * The same engine, whose steps take the GPU's time: that of its events, without what this process
   * does around them.
   */
  public StepExecutor byGpuTime() {
    return (batch, speed) -> {
      run(batch, speed);
      return Math.max(1, Math.round(times.decodeUs() + times.prefillUs()));
    };
  }

  private void compute(List<Sequence> batch, double speed) {
    device.use();
    decoding.clear();
    prefilling.clear();
    sampled.clear();
    for (Sequence sequence : batch) {
      (sequence.decoding() ? decoding : prefilling).add(sequence);
    }
    double decodeUs = pass(decoding, decodeRows, Phase.DECODE, speed);
    double prefillUs = pass(prefilling, prefillRows, Phase.PREFILL, speed);
    times = new StepTimes(decodeUs, prefillUs);
    requireFinite();
    share(prefillUs);
  }

  private double pass(List<Sequence> sequences, RowBatch rows, Phase phase, double speed) {
    if (sequences.isEmpty()) {
      return 0;
    }
    int firstLogits = sampled.size();
    double us =
        timer.us(
            speed,
            () -> {
              rows.set(sequences);
              pass.run(rows, phase, firstLogits);
            });
    sampled.addAll(rows.sampled());
    return us;
  }

  private void requireFinite() {
    if (sampled.isEmpty()) {
      return;
    }
    int[] ids = pass.sampledIds(sampled.size());
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] < 0) {
        throw new CudaException(
            device.name()
                + " computed logits that are not finite, for request "
                + sampled.get(i).requestId());
      }
    }
  }

  /** A prefill's part of its pass is its part of the tokens. */
  private void share(double prefillUs) {
    for (Sequence sequence : prefilling) {
      sequence.addPrefillGpuUs(prefillUs * sequence.scheduledTokens() / prefillRows.rows());
    }
  }

  /** The GPU's times of the last step; for the thread that runs steps. */
  StepTimes times() {
    return times;
  }

  /** The sequences that the last step sampled a token of; for the thread that runs steps. */
  List<Sequence> sampled() {
    return List.copyOf(sampled);
  }

  /** Logits of one of {@link #sampled}, by its index; for the thread that runs steps. */
  float[] logits(int index) {
    return pass.logits(index);
  }

  /**
   * What the driver says of the GPU; while a step runs, and of a GPU that is lost, what it said
   * last. For any thread.
   */
  public EngineProfile.Gpu gpu() {
    // Whoever sends telemetry also sends cache events: it must not wait for a step.
    if (using.tryLock()) {
      try {
        device.use();
        lastFacts = facts();
      } catch (CudaException e) {
        // The step that fails with it says so.
        LOG.debug("no memory facts", e);
      } finally {
        using.unlock();
      }
    }
    return lastFacts;
  }

  private EngineProfile.Gpu facts() {
    MemoryInfo memory = device.memory();
    return new EngineProfile.Gpu(
        device.name(), memory.totalBytes(), memory.totalBytes() - memory.freeBytes());
  }

  /** Gives the GPU back. */
  @Override
  public void close() {
    using.lock();
    try {
      device.use();
      timer.close();
      kernels.close();
      device.close();
    } catch (CudaException e) {
      LOG.warn("cannot give the GPU back: {}", e.getMessage());
    } finally {
      using.unlock();
    }
  }
}
