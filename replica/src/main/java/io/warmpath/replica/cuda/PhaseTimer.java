package io.warmpath.replica.cuda;

import jcuda.driver.CUevent;

/** Times what is queued on a device's stream, by the device's own clock. */
final class PhaseTimer implements AutoCloseable {

  private static final double NANOS_PER_US = 1e3;

  private final CudaDevice device;
  private final Kernels kernels;
  private final CUevent start = CudaDriver.newEvent();
  private final CUevent end = CudaDriver.newEvent();

  PhaseTimer(CudaDevice device, Kernels kernels) {
    this.device = device;
    this.kernels = kernels;
  }

  /**
   * Queues a phase, waits for it, and keeps the device busy for as much longer as its speed is
   * lower.
   *
   * @param speed 1 = as fast as it can, 0.5 = half as fast
   * @return the device's time in microseconds
   */
  double us(double speed, Runnable phase) {
    CudaDriver.record(start, device.stream());
    phase.run();
    double us = untilHere();
    if (speed >= 1) {
      return us;
    }
    kernels.spin(Math.round(us * (1 / speed - 1) * NANOS_PER_US));
    return untilHere();
  }

  private double untilHere() {
    CudaDriver.record(end, device.stream());
    CudaDriver.synchronize(end);
    return CudaDriver.elapsedUs(start, end);
  }

  @Override
  public void close() {
    CudaDriver.destroy(start);
    CudaDriver.destroy(end);
  }
}
