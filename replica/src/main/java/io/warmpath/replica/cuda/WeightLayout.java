package io.warmpath.replica.cuda;

import java.util.ArrayList;
import java.util.List;

/** Where each of a model's weights lies in one piece of memory, and what it is filled with. */
final class WeightLayout {

  /** Numbers that each tensor's beginning is aligned to: 256 bytes and more. */
  private static final long ALIGNMENT = 128;

  /** Spread of the norms' weights around 1. */
  private static final float NORM_SPREAD = 0.1f;

  /**
   * One tensor, filled with {@code offset + scale · u}, u even in [−1, 1).
   *
   * @param first its first number
   * @param count its numbers
   */
  record Tensor(long first, long count, long seed, float scale, float offset) {}

  /** One layer's tensors; matrices have a row for each output. */
  record Layer(
      Tensor attentionNorm,
      Tensor qkv,
      Tensor attentionOut,
      Tensor feedForwardNorm,
      Tensor gateUp,
      Tensor down) {}

  private final long seed;
  private final List<Tensor> all = new ArrayList<>();
  private final List<Layer> layers = new ArrayList<>();
  private final Tensor embedding;
  private final Tensor finalNorm;
  private final Tensor head;
  private long end;
  private long count;

  WeightLayout(TransformerModel model) {
    seed = model.seed();
    int hidden = model.hidden();
    Heads heads = model.attention();
    // States of variance 1, whatever came before them.
    embedding = tensor(model.vocabulary(), hidden, 1);
    for (int i = 0; i < model.layers(); i++) {
      layers.add(
          new Layer(
              norm(hidden),
              tensor(heads.qkvWidth(), hidden, hidden),
              tensor(hidden, heads.outWidth(), heads.outWidth()),
              norm(hidden),
              tensor(2L * model.feedForward(), hidden, hidden),
              tensor(hidden, model.feedForward(), model.feedForward())));
    }
    finalNorm = norm(hidden);
    head = tensor(model.vocabulary(), hidden, hidden);
  }

  private Tensor norm(int width) {
    return place(width, NORM_SPREAD, 1);
  }

  private Tensor tensor(long rows, long columns, int fanIn) {
    return place(rows * columns, (float) Math.sqrt(3.0 / fanIn), 0);
  }

  private Tensor place(long numbers, float scale, float offset) {
    // Far apart, so that the sequences of two tensors do not meet.
    long own = seed + (all.size() + 1) * 0x632BE59BD9B4E019L;
    Tensor tensor = new Tensor(end, numbers, own, scale, offset);
    all.add(tensor);
    end += (numbers + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    count += numbers;
    return tensor;
  }

  List<Tensor> all() {
    return all;
  }

  List<Layer> layers() {
    return layers;
  }

  Tensor embedding() {
    return embedding;
  }

  Tensor finalNorm() {
    return finalNorm;
  }

  /** From states to logits. */
  Tensor head() {
    return head;
  }

  /** Numbers that all of it takes, gaps among them. */
  long size() {
    return end;
  }

  /** Weights, all together. */
  long count() {
    return count;
  }
}
