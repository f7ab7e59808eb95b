package io.warmpath.replica.cuda;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What weights, activations and KV entries are stored as. Sums and logits are fp32 always. */
public enum DataType {
  @JsonProperty("fp16")
  FP16(2, "f16"),
  @JsonProperty("fp32")
  FP32(4, "f32");

  /** Bytes of a number. */
  final int bytes;

  /** How names of kernels end. */
  final String form;

  DataType(int bytes, String form) {
    this.bytes = bytes;
    this.form = form;
  }

  /** A number as it comes back after it was stored. */
  float round(float value) {
    return this == FP16 ? Half.round(value) : value;
  }

  float[] read(DeviceMemory memory, int count) {
    if (this == FP32) {
      return memory.readFloats(count);
    }
    short[] halves = memory.readShorts(count);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = Half.toFloat(halves[i]);
    }
    return values;
  }

  void write(DeviceMemory memory, float[] values) {
    if (this == FP32) {
      memory.write(values);
      return;
    }
    short[] halves = new short[values.length];
    for (int i = 0; i < values.length; i++) {
      halves[i] = Half.fromFloat(values[i]);
    }
    memory.write(halves);
  }
}
