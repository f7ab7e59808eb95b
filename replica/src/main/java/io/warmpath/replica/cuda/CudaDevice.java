package io.warmpath.replica.cuda;

import io.warmpath.replica.cuda.CudaDriver.MemoryInfo;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;

/** A GPU with this process's context, one stream, and all memory that was allocated on it. */
final class CudaDevice implements AutoCloseable {

  private static final long MIB = 1L << 20;

  private final CUdevice device;
  private final CUcontext context;
  private final CUstream stream;
  private final String name;
  private final Set<CUdeviceptr> allocations = Collections.newSetFromMap(new IdentityHashMap<>());

  private CudaDevice(CUdevice device, CUcontext context) {
    this.device = device;
    this.context = context;
    name = CudaDriver.name(device);
    stream = CudaDriver.newStream();
  }

  /**
   * Opens the first GPU ({@code CUDA_VISIBLE_DEVICES} says which that is) and makes it the calling
   * thread's.
   *
   * @throws CudaException if there is no driver or no GPU
   */
  static CudaDevice open() {
    CudaDriver.require();
    CUdevice device = CudaDriver.device(0);
    CUcontext context = CudaDriver.retainContext(device);
    CudaDriver.setContext(context);
    return new CudaDevice(device, context);
  }

  /** Makes it the calling thread's: needed once in each thread. */
  void use() {
    CudaDriver.setContext(context);
  }

  String name() {
    return name;
  }

  /** Ten times the major version, plus the minor one. */
  int computeCapability() {
    return CudaDriver.computeCapability(device);
  }

  int multiprocessors() {
    return CudaDriver.multiprocessors(device);
  }

  int clockKhz() {
    return CudaDriver.clockKhz(device);
  }

  CUstream stream() {
    return stream;
  }

  MemoryInfo memory() {
    return CudaDriver.memory();
  }

  /**
   * Allocates memory; its content is undefined.
   *
   * @param what it is for, in the error
   * @throws CudaException if there is not enough
   */
  DeviceMemory allocate(String what, long bytes) {
    CUdeviceptr pointer = CudaDriver.allocate(bytes);
    if (pointer == null) {
      MemoryInfo memory = memory();
      throw new CudaException(
          "out of memory on "
              + name
              + ": "
              + what
              + " of "
              + mib(bytes)
              + " MiB, and "
              + memory.freeBytes() / MIB
              + " of "
              + mib(memory.totalBytes())
              + " MiB are free");
    }
    allocations.add(pointer);
    return new DeviceMemory(pointer, bytes);
  }

  void free(DeviceMemory memory) {
    if (allocations.remove(memory.pointer())) {
      CudaDriver.free(memory.pointer());
    }
  }

  private static long mib(long bytes) {
    return (bytes + MIB - 1) / MIB;
  }

  /** Frees all of its memory. A GPU that is lost has nothing left to free. */
  @Override
  public void close() {
    use();
    allocations.forEach(CudaDriver::free);
    allocations.clear();
    CudaDriver.destroy(stream);
    CudaDriver.releaseContext(device);
  }
}
