package io.warmpath.replica.cuda;

import io.warmpath.replica.cuda.WeightLayout.Tensor;

/** A model's weights on a device, filled there: nothing is loaded. */
final class Weights {

  private final WeightLayout layout;
  private final DeviceMemory memory;
  private final int bytesEach;

  Weights(CudaDevice device, Kernels kernels, TransformerModel model) {
    layout = new WeightLayout(model);
    bytesEach = model.storage().bytes;
    memory = device.allocate("weights", layout.size() * bytesEach);
    for (Tensor tensor : layout.all()) {
      kernels.fillRandom(
          of(tensor), tensor.count(), tensor.seed(), tensor.scale(), tensor.offset());
    }
  }

  WeightLayout layout() {
    return layout;
  }

  DeviceMemory of(Tensor tensor) {
    return memory.slice(tensor.first() * bytesEach, tensor.count() * bytesEach);
  }
}
