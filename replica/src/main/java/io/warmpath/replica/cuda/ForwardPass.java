package io.warmpath.replica.cuda;

import io.warmpath.replica.cuda.WeightLayout.Tensor;

/** Computes rows from their tokens to the logits of those that a token is sampled of. */
final class ForwardPass {

  private static final int LOGIT_BYTES = 4;

  /** What the rows of a pass attend with. */
  enum Phase {
    /** Many rows a sequence. */
    PREFILL,
    /** One row a sequence. */
    DECODE
  }

  private final Kernels kernels;
  private final TransformerModel model;
  private final Heads heads;
  private final Weights weights;
  private final PagedKv kv;
  private final DeviceMemory frequencies;
  private final DeviceMemory state;
  private final DeviceMemory normed;
  private final DeviceMemory change;
  private final DeviceMemory qkv;
  private final DeviceMemory attended;
  private final DeviceMemory gateUp;
  private final DeviceMemory activated;
  private final DeviceMemory logits;
  private final DeviceMemory sampledIds;

  ForwardPass(CudaDevice device, Kernels kernels, TransformerModel model) {
    this.kernels = kernels;
    this.model = model;
    heads = model.attention();
    weights = new Weights(device, kernels, model);
    kv = new PagedKv(device, model);
    frequencies = device.allocate("rotary frequencies", 4L * heads.dim() / 2);
    frequencies.write(frequencies(model));
    Workspace workspace = new Workspace(device, model);
    state = workspace.rows(model.hidden());
    normed = workspace.rows(model.hidden());
    change = workspace.rows(model.hidden());
    qkv = workspace.rows(heads.qkvWidth());
    attended = workspace.rows(heads.outWidth());
    gateUp = workspace.rows(2 * model.feedForward());
    activated = workspace.rows(model.feedForward());
    logits =
        device.allocate("logits", (long) model.maxSequences() * model.vocabulary() * LOGIT_BYTES);
    sampledIds = device.allocate("sampled tokens", 4L * model.maxSequences());
  }

  /** Memory that every pass uses anew. */
  private record Workspace(CudaDevice device, TransformerModel model) {
    DeviceMemory rows(int width) {
      int rows = Math.max(model.tokenBudget(), model.maxSequences());
      return device.allocate("activations", (long) rows * width * model.storage().bytes);
    }
  }

  /** Radians a token of each pair of dimensions: base^(−2i / dimensions of a head). */
  static float[] frequencies(TransformerModel model) {
    float[] frequencies = new float[model.headDim() / 2];
    for (int i = 0; i < frequencies.length; i++) {
      frequencies[i] = (float) Math.pow(model.ropeBase(), -2.0 * i / model.headDim());
    }
    return frequencies;
  }

  /**
   * Queues a pass.
   *
   * @param firstLogits row of the logits that the first sampled one goes to
   */
  void run(RowBatch batch, Phase phase, int firstLogits) {
    int rows = batch.rows();
    WeightLayout layout = weights.layout();
    kernels.gatherRows(
        batch.onDevice().tokens(), of(layout.embedding()), state, rows, model.hidden());
    for (int i = 0; i < model.layers(); i++) {
      attention(layout.layers().get(i), kv.layer(i), batch, phase);
      feedForward(layout.layers().get(i), rows);
    }
    int sampled = batch.sampled().size();
    if (sampled > 0) {
      sample(batch.onDevice().sampled(), sampled, firstLogits);
    }
  }

  private void attention(WeightLayout.Layer layer, KvLayer cached, RowBatch batch, Phase phase) {
    RowMemory rows = batch.onDevice();
    int count = batch.rows();
    norm(layer.attentionNorm(), state, normed, count);
    kernels.multiply(normed, of(layer.qkv()), qkv, count, heads.qkvWidth(), model.hidden());
    kernels.ropeAndStore(
        qkv,
        rows.positions(),
        rows.slots(),
        frequencies,
        cached.keys(),
        cached.values(),
        count,
        heads);
    if (phase == Phase.DECODE) {
      kernels.attendDecode(qkv, cached, rows, attended, batch.sequences(), heads);
    } else {
      kernels.attendPrefill(qkv, cached, rows, attended, batch.tiles(), heads);
    }
    kernels.multiply(
        attended, of(layer.attentionOut()), change, count, model.hidden(), heads.outWidth());
    kernels.add(state, change, count, model.hidden());
  }

  private void feedForward(WeightLayout.Layer layer, int rows) {
    norm(layer.feedForwardNorm(), state, normed, rows);
    kernels.multiply(
        normed, of(layer.gateUp()), gateUp, rows, 2 * model.feedForward(), model.hidden());
    kernels.swiglu(gateUp, activated, rows, model.feedForward());
    kernels.multiply(
        activated, of(layer.down()), change, rows, model.hidden(), model.feedForward());
    kernels.add(state, change, rows, model.hidden());
  }

  private void sample(DeviceMemory rows, int count, int first) {
    long rowBytes = (long) model.vocabulary() * LOGIT_BYTES;
    DeviceMemory to = logits.slice(first * rowBytes, count * rowBytes);
    kernels.gatherRows(rows, state, change, count, model.hidden());
    norm(weights.layout().finalNorm(), change, normed, count);
    kernels.multiplyToLogits(
        normed, of(weights.layout().head()), to, count, model.vocabulary(), model.hidden());
    kernels.argMax(to, sampledIds.slice(4L * first, 4L * count), count, model.vocabulary());
  }

  private void norm(Tensor weight, DeviceMemory in, DeviceMemory out, int rows) {
    kernels.rmsNorm(in, of(weight), out, rows, model.hidden(), (float) model.normEpsilon());
  }

  private DeviceMemory of(Tensor tensor) {
    return weights.of(tensor);
  }

  /** The most likely token of each of the first rows of logits; −1 where they are not finite. */
  int[] sampledIds(int count) {
    return sampledIds.readInts(count);
  }

  /** One row of logits. */
  float[] logits(int row) {
    long rowBytes = (long) model.vocabulary() * LOGIT_BYTES;
    return logits.slice(row * rowBytes, rowBytes).readFloats(model.vocabulary());
  }
}
