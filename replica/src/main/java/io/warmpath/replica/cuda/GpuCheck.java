package io.warmpath.replica.cuda;

import io.warmpath.replica.cuda.StepMeasurement.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What {@code warmpath gpu-check} does: is the GPU right, and how fast is it? */
public final class GpuCheck {

  private GpuCheck() {}

  /**
   * The GPU.
   *
   * @param computeCapability ten times the major version, plus the minor one
   * @param peakTflops fp32 operations of its CUDA cores at their highest clock, in 10¹² a second;
   *     the kernels do not use tensor cores
   */
  public record Device(
      String name, long memoryTotalBytes, int computeCapability, double peakTflops) {}

  /**
   * The first GPU.
   *
   * @throws CudaException if there is none
   */
  public static Device device() {
    try (CudaDevice device = CudaDevice.open()) {
      double coresTimesHertz =
          1e3
              * device.clockKhz()
              * device.multiprocessors()
              * coresOfMultiprocessor(device.computeCapability());
      return new Device(
          device.name(),
          device.memory().totalBytes(),
          device.computeCapability(),
          2 * coresTimesHertz / 1e12);
    }
  }

  /** From the CUDA C++ Programming Guide's table of arithmetic throughput. */
  private static int coresOfMultiprocessor(int computeCapability) {
    return computeCapability == 75 || computeCapability == 80 ? 64 : 128;
  }

  /** Compares every kernel, then whole models' logits, with their twins in Java. */
  public static List<Deviation> correctness() {
    List<Deviation> all = new ArrayList<>();
    for (DataType type : DataType.values()) {
      all.addAll(KernelCheck.run(type));
      all.addAll(LogitsCheck.run(type));
    }
    return all;
  }

  /**
   * How fast a model runs.
   *
   * @param prefillTokens tokens of the longest prompt that one step computes
   * @param prefillTokensPerSecond of that step, by the GPU's time
   * @param prefillTflops its operations, in 10¹² a second
   * @param decodeSequences sequences of the largest batch that decoded
   * @param decodeTokensPerSecond of that batch, by the GPU's time
   * @param fit the time of a step
   */
  public record Speed(
      int prefillTokens,
      double prefillTokensPerSecond,
      double prefillTflops,
      int decodeSequences,
      double decodeTokensPerSecond,
      StepFit fit) {}

  /**
   * Measures a model's speed, and fits the time of a step.
   *
   * @throws CudaException if there is no GPU, or its memory is not enough
   */
  public static Speed speed(TransformerModel model) {
    try (CudaEngine cuda = CudaEngine.open(model)) {
      StepMeasurement measurement = new StepMeasurement(cuda);
      int longest = model.tokenBudget();
      int largest = model.maxSequences();
      // The first steps load the kernels.
      measurement.prefill(longest);
      measurement.decode(1);
      List<Step> prefills = parts(longest).map(measurement::prefill).toList();
      List<Step> decodes = parts(largest).map(measurement::decode).toList();
      Step prefill = prefills.get(prefills.size() - 1);
      Step decode = decodes.get(decodes.size() - 1);
      return new Speed(
          longest,
          longest * 1e6 / prefill.gpu().prefillUs(),
          model.prefillFlops(longest) / prefill.gpu().prefillUs() / 1e6,
          largest,
          largest * 1e6 / decode.gpu().decodeUs(),
          StepFit.of(Stream.concat(prefills.stream(), decodes.stream()).toList()));
    }
  }

  /** An eighth, a quarter, a half and all, where there is as much. */
  private static Stream<Integer> parts(int all) {
    return Stream.of(all / 8, all / 4, all / 2, all).filter(part -> part > 0).distinct();
  }
}
