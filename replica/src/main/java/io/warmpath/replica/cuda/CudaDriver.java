package io.warmpath.replica.cuda;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * The driver API: every native call of JCuda is here, checked. Loading this class loads the
 * driver's library; where there is none, {@link #require} says so, and nothing else may be called.
 */
final class CudaDriver {

  private static final CudaException MISSING = load();

  private CudaDriver() {}

  /** Memory of a device. */
  record MemoryInfo(long freeBytes, long totalBytes) {}

  /**
   * Returns where there is a driver with a GPU.
   *
   * @throws CudaException in one line, where not
   */
  static void require() {
    if (MISSING != null) {
      throw new CudaException(MISSING.getMessage(), MISSING.getCause());
    }
    check("cuInit", JCudaDriver.cuInit(0));
    int[] devices = {0};
    check("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(devices));
    if (devices[0] == 0) {
      throw new CudaException("the CUDA driver finds no GPU");
    }
  }

  private static CudaException load() {
    try {
      JCudaDriver.setExceptionsEnabled(false);
      return null;
    } catch (LinkageError e) {
      // JCuda's own message is a page long.
      return new CudaException(
          "no CUDA driver: libcuda.so.1 or JCuda's library for this platform cannot be loaded", e);
    }
  }

  static CUdevice device(int ordinal) {
    CUdevice device = new CUdevice();
    check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
    return device;
  }

  static String name(CUdevice device) {
    byte[] name = new byte[256];
    check("cuDeviceGetName", JCudaDriver.cuDeviceGetName(name, name.length, device));
    int length = 0;
    while (length < name.length && name[length] != 0) {
      length++;
    }
    return new String(name, 0, length, StandardCharsets.UTF_8);
  }

  static int clockKhz(CUdevice device) {
    return attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  }

  static int multiprocessors(CUdevice device) {
    return attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  }

  /** Ten times the major version, plus the minor one: 90 for Hopper. */
  static int computeCapability(CUdevice device) {
    return 10 * attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        + attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  }

  private static int attribute(CUdevice device, int attribute) {
    int[] value = {0};
    check("cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
    return value[0];
  }

  static CUcontext retainContext(CUdevice device) {
    CUcontext context = new CUcontext();
    check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
    return context;
  }

  static void releaseContext(CUdevice device) {
    check("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device));
  }

  /** Makes a context the calling thread's. */
  static void setContext(CUcontext context) {
    check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
  }

  static CUmodule loadModule(String ptx) {
    CUmodule module = new CUmodule();
    check("cuModuleLoadData", JCudaDriver.cuModuleLoadData(module, ptx));
    return module;
  }

  static void unload(CUmodule module) {
    check("cuModuleUnload", JCudaDriver.cuModuleUnload(module));
  }

  static CUfunction function(CUmodule module, String name) {
    CUfunction function = new CUfunction();
    check("cuModuleGetFunction " + name, JCudaDriver.cuModuleGetFunction(function, module, name));
    return function;
  }

  static MemoryInfo memory() {
    long[] free = {0};
    long[] total = {0};
    check("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, total));
    return new MemoryInfo(free[0], total[0]);
  }

  /** New memory, or null where there is not enough. */
  static CUdeviceptr allocate(long bytes) {
    CUdeviceptr pointer = new CUdeviceptr();
    int code = JCudaDriver.cuMemAlloc(pointer, bytes);
    if (code == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      return null;
    }
    check("cuMemAlloc", code);
    return pointer;
  }

  static void free(CUdeviceptr pointer) {
    check("cuMemFree", JCudaDriver.cuMemFree(pointer));
  }

  /** Copies from a direct buffer's beginning; the copy is done before what the stream does next. */
  static void copyToDevice(CUdeviceptr to, ByteBuffer from, long bytes, CUstream stream) {
    check("cuMemcpyHtoDAsync", JCudaDriver.cuMemcpyHtoDAsync(to, Pointer.to(from), bytes, stream));
  }

  static void copyToDevice(CUdeviceptr to, Pointer from, long bytes) {
    check("cuMemcpyHtoD", JCudaDriver.cuMemcpyHtoD(to, from, bytes));
  }

  static void copyToHost(Pointer to, CUdeviceptr from, long bytes) {
    check("cuMemcpyDtoH", JCudaDriver.cuMemcpyDtoH(to, from, bytes));
  }

  static CUstream newStream() {
    CUstream stream = new CUstream();
    check("cuStreamCreate", JCudaDriver.cuStreamCreate(stream, 0));
    return stream;
  }

  static void destroy(CUstream stream) {
    check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(stream));
  }

  /** Waits for all that the stream was given; what failed in a kernel shows here. */
  static void synchronize(CUstream stream) {
    check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream));
  }

  static CUevent newEvent() {
    CUevent event = new CUevent();
    check("cuEventCreate", JCudaDriver.cuEventCreate(event, 0));
    return event;
  }

  static void destroy(CUevent event) {
    check("cuEventDestroy", JCudaDriver.cuEventDestroy(event));
  }

  static void record(CUevent event, CUstream stream) {
    check("cuEventRecord", JCudaDriver.cuEventRecord(event, stream));
  }

  static void synchronize(CUevent event) {
    check("cuEventSynchronize", JCudaDriver.cuEventSynchronize(event));
  }

  /** Microseconds between two recorded events. */
  static double elapsedUs(CUevent from, CUevent to) {
    float[] millis = {0};
    check("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(millis, from, to));
    return millis[0] * 1e3;
  }

  /**
   * Launches a kernel.
   *
   * @param name for the error
   * @param parameters pointer to the pointers of its parameters
   */
  static void launch(
      String name,
      CUfunction function,
      int gridX,
      int gridY,
      int threads,
      CUstream stream,
      Pointer parameters) {
    check(
        "cuLaunchKernel " + name,
        JCudaDriver.cuLaunchKernel(
            function, gridX, gridY, 1, threads, 1, 1, 0, stream, parameters, null));
  }

  private static void check(String call, int code) {
    if (code != CUresult.CUDA_SUCCESS) {
      throw new CudaException(
          call + " failed with " + CUresult.stringFor(code) + " (" + code + "): " + meaning(code));
    }
  }

  private static String meaning(int code) {
    return switch (code) {
      case CUresult.CUDA_ERROR_OUT_OF_MEMORY -> "the GPU has no memory left";
      case CUresult.CUDA_ERROR_NO_DEVICE -> "the CUDA driver finds no GPU";
      case CUresult.CUDA_ERROR_INVALID_PTX,
          CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
          CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU ->
          "the kernels need a driver of CUDA 12.0 or later and a GPU of compute capability 7.5 or"
              + " later";
      case CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          CUresult.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
          CUresult.CUDA_ERROR_LAUNCH_TIMEOUT ->
          "a kernel failed; the process has to start again";
      case CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE,
          CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
          CUresult.CUDA_ERROR_UNKNOWN ->
          "the GPU is lost; see nvidia-smi and the kernel's log";
      default -> "not expected here";
    };
  }
}
