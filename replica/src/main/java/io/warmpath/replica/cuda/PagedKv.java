package io.warmpath.replica.cuda;

/**
 * The KV blocks of all layers in device memory. Which block holds what is known to the engine's
 * {@link io.warmpath.replica.engine.KvCache} alone.
 */
final class PagedKv {

  private final KvLayer[] layers;

  PagedKv(CudaDevice device, TransformerModel model) {
    long half =
        (long) model.kvBlocks()
            * model.blockTokens()
            * model.attention().kvWidth()
            * model.storage().bytes;
    DeviceMemory all = device.allocate("KV blocks", model.kvBytes());
    layers = new KvLayer[model.layers()];
    for (int i = 0; i < layers.length; i++) {
      layers[i] =
          new KvLayer(
              all.slice(2 * i * half, half),
              all.slice((2 * i + 1) * half, half),
              model.blockTokens());
    }
  }

  KvLayer layer(int index) {
    return layers[index];
  }
}
