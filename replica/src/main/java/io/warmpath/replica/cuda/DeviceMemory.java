package io.warmpath.replica.cuda;

import java.util.Objects;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

/** A piece of a device's memory. It lives as long as its device is open, if not freed before. */
final class DeviceMemory {

  private final CUdeviceptr pointer;
  private final long bytes;

  DeviceMemory(CUdeviceptr pointer, long bytes) {
    this.pointer = pointer;
    this.bytes = bytes;
  }

  CUdeviceptr pointer() {
    return pointer;
  }

  long bytes() {
    return bytes;
  }

  /** A part of it. */
  DeviceMemory slice(long fromByte, long byteCount) {
    Objects.checkFromIndexSize(fromByte, byteCount, bytes);
    return new DeviceMemory(pointer.withByteOffset(fromByte), byteCount);
  }

  void write(int[] values) {
    Objects.checkFromIndexSize(0, 4L * values.length, bytes);
    CudaDriver.copyToDevice(pointer, Pointer.to(values), 4L * values.length);
  }

  void write(float[] values) {
    Objects.checkFromIndexSize(0, 4L * values.length, bytes);
    CudaDriver.copyToDevice(pointer, Pointer.to(values), 4L * values.length);
  }

  void write(short[] values) {
    Objects.checkFromIndexSize(0, 2L * values.length, bytes);
    CudaDriver.copyToDevice(pointer, Pointer.to(values), 2L * values.length);
  }

  /** Waits for the device, then copies. */
  int[] readInts(int count) {
    int[] values = new int[count];
    read(Pointer.to(values), 4L * count);
    return values;
  }

  /** Waits for the device, then copies. */
  float[] readFloats(int count) {
    float[] values = new float[count];
    read(Pointer.to(values), 4L * count);
    return values;
  }

  /** Waits for the device, then copies. */
  short[] readShorts(int count) {
    short[] values = new short[count];
    read(Pointer.to(values), 2L * count);
    return values;
  }

  private void read(Pointer to, long byteCount) {
    Objects.checkFromIndexSize(0, byteCount, bytes);
    CudaDriver.copyToHost(to, pointer, byteCount);
  }
}
