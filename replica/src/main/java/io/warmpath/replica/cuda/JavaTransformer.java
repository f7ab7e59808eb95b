package io.warmpath.replica.cuda;

import io.warmpath.replica.cuda.WeightLayout.Layer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A model computed in plain Java: every token of a sequence anew, without chunks, cache or other
 * sequences. What a device's logits have to be.
 */
final class JavaTransformer {

  private final TransformerModel model;
  private final JavaKernels kernels;
  private final WeightLayout layout;
  private final Map<WeightLayout.Tensor, float[]> weights = new HashMap<>();
  private final float[] frequencies;

  JavaTransformer(TransformerModel model) {
    this.model = model;
    kernels = new JavaKernels(model.storage());
    layout = new WeightLayout(model);
    layout.all().forEach(tensor -> weights.put(tensor, kernels.fillRandom(tensor)));
    frequencies = ForwardPass.frequencies(model);
  }

  /** Logits after each of the given positions, for a sequence of tokens. */
  float[][] logits(int[] tokens, int[] positions) {
    int[] ids = new int[tokens.length];
    int[] all = new int[tokens.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = Integer.remainderUnsigned(tokens[i], model.vocabulary());
      all[i] = i;
    }
    int hidden = model.hidden();
    float[] state = kernels.gatherRows(ids, of(layout.embedding()), hidden);
    for (Layer layer : layout.layers()) {
      state = kernels.add(state, attention(layer, norm(layer.attentionNorm(), state), all));
      state = kernels.add(state, feedForward(layer, norm(layer.feedForwardNorm(), state)));
    }
    float[] wanted = norm(layout.finalNorm(), kernels.gatherRows(positions, state, hidden));
    float[] flat = kernels.multiplyToLogits(wanted, of(layout.head()), model.vocabulary(), hidden);
    float[][] logits = new float[positions.length][];
    for (int i = 0; i < logits.length; i++) {
      int from = i * model.vocabulary();
      logits[i] = Arrays.copyOfRange(flat, from, from + model.vocabulary());
    }
    return logits;
  }

  private float[] attention(Layer layer, float[] normed, int[] positions) {
    Heads heads = model.attention();
    float[] qkv = kernels.multiply(normed, of(layer.qkv()), heads.qkvWidth(), model.hidden());
    float[] keys = new float[positions.length * heads.kvWidth()];
    float[] values = keys.clone();
    kernels.ropeAndStore(qkv, positions, positions, frequencies, keys, values, heads);
    // One block that holds all of the sequence.
    int[][] tables = new int[positions.length][1];
    float[] out = kernels.attend(qkv, keys, values, tables, positions, positions.length, heads);
    return kernels.multiply(out, of(layer.attentionOut()), model.hidden(), heads.outWidth());
  }

  private float[] feedForward(Layer layer, float[] normed) {
    int width = model.feedForward();
    float[] gateUp = kernels.multiply(normed, of(layer.gateUp()), 2 * width, model.hidden());
    return kernels.multiply(kernels.swiglu(gateUp, width), of(layer.down()), model.hidden(), width);
  }

  private float[] norm(WeightLayout.Tensor weight, float[] in) {
    return kernels.rmsNorm(in, of(weight), model.hidden(), (float) model.normEpsilon());
  }

  private float[] of(WeightLayout.Tensor tensor) {
    return weights.get(tensor);
  }
}
