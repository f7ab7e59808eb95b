package io.warmpath.replica.cuda;

import java.util.ArrayList;
import java.util.List;

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
}
