package io.warmpath.replica.cuda;

import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.engine.SettingsFile;
import java.util.List;
import java.util.Objects;

/**
 * Sizes of a decoder-only transformer, as in Llama: RMSNorm, rotary positions, grouped-query
 * attention, SwiGLU, no biases. Its weights are random, and the same for the same seed.
 *
 * @param name name of the model
 * @param source where its sizes come from
 * @param storage what weights, activations and KV entries are stored as
 * @param seed of its weights
 * @param layers layers
 * @param hidden width of a token's state
 * @param heads query heads
 * @param kvHeads heads of keys and values
 * @param headDim dimensions of a head
 * @param feedForward width between the two halves of a feed-forward layer
 * @param vocabulary token ids; ids above are taken modulo it
 * @param ropeBase base of the rotary frequencies
 * @param normEpsilon added to a mean square before its root is taken
 * @param tokenBudget most tokens a step
 * @param maxSequences most sequences in the batch
 * @param kvBlocks KV blocks
 * @param blockTokens tokens a KV block
 */
public record TransformerModel(
    String name,
    String source,
    DataType storage,
    long seed,
    int layers,
    int hidden,
    int heads,
    int kvHeads,
    int headDim,
    int feedForward,
    int vocabulary,
    double ropeBase,
    double normEpsilon,
    int tokenBudget,
    int maxSequences,
    int kvBlocks,
    int blockTokens) {

  /** The built-in models, each a resource {@code /transformers/NAME.json}. */
  public static final List<String> BUILT_IN = List.of("llama-3.1-8b", "qwen3-0.6b", "tiny");

  private static final SettingsFile<TransformerModel> FILES =
      new SettingsFile<>(TransformerModel.class, "transformer", "/transformers/", BUILT_IN);

  /** A bound that keeps products of two sizes in range. */
  private static final int MOST = 1 << 24;

  /**
   * Checks every size.
   *
   * @throws IllegalArgumentException naming the field as it stands in the file
   */
  public TransformerModel {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(storage, "storage");
    requireSize(layers, "layers", 1 << 10);
    requireSize(hidden, "hidden", 1 << 16);
    requireSize(heads, "heads", 1 << 10);
    requireSize(kvHeads, "kv_heads", heads);
    require(
        heads % kvHeads == 0 && heads / kvHeads <= Kernels.MAX_GROUP,
        "heads",
        heads,
        "a multiple of kv_heads, at most " + Kernels.MAX_GROUP + " times it");
    requireSize(headDim, "head_dim", Kernels.MAX_HEAD_DIM);
    require(headDim % 2 == 0, "head_dim", headDim, "even");
    requireSize(feedForward, "feed_forward", 1 << 18);
    requireSize(vocabulary, "vocabulary", 1 << 20);
    require(ropeBase > 1 && ropeBase <= 1e9, "rope_base", ropeBase, "above 1, at most 1e9");
    require(normEpsilon > 0 && normEpsilon < 1, "norm_epsilon", normEpsilon, "above 0 and below 1");
    // The kernels' grids: a tile of 64 rows each, at most 65,535 of them.
    requireSize(tokenBudget, "token_budget", 1 << 20);
    requireSize(maxSequences, "max_sequences", 1 << 16);
    requireSize(kvBlocks, "kv_blocks", MOST);
    requireSize(blockTokens, "block_tokens", 1 << 10);
    require(
        (long) kvBlocks * blockTokens <= Integer.MAX_VALUE / 2,
        "kv_blocks",
        kvBlocks,
        "less: kv_blocks × block_tokens would pass " + Integer.MAX_VALUE / 2 + " tokens");
  }

  /**
   * A model by the name of a built-in one, or by the path of a JSON file (anything with a {@code /}
   * or the ending {@code .json}).
   *
   * @throws IllegalArgumentException if there is none, or if a field is wrong
   */
  public static TransformerModel load(String nameOrPath) {
    return FILES.load(nameOrPath);
  }

  /** The same model with another KV cache. */
  public TransformerModel withKv(int blocks, int tokensPerBlock) {
    return with(storage, blocks, tokensPerBlock);
  }

  /** The same model stored as another type. */
  public TransformerModel storedAs(DataType type) {
    return with(type, kvBlocks, blockTokens);
  }

  private TransformerModel with(DataType type, int blocks, int tokensPerBlock) {
    return new TransformerModel(
        name,
        source,
        type,
        seed,
        layers,
        hidden,
        heads,
        kvHeads,
        headDim,
        feedForward,
        vocabulary,
        ropeBase,
        normEpsilon,
        tokenBudget,
        maxSequences,
        blocks,
        tokensPerBlock);
  }

  Heads attention() {
    return new Heads(heads, kvHeads, headDim);
  }

  /** Weights, all together. */
  public long parameters() {
    return new WeightLayout(this).count();
  }

  /** Bytes of the whole KV cache. */
  public long kvBytes() {
    return 2L * layers * kvBlocks * blockTokens * kvHeads * headDim * storage.bytes;
  }

  /**
   * Floating-point operations of a prefill without cached tokens, a multiplication and an addition
   * counted as two. Logits are those of the last token.
   */
  public double prefillFlops(int tokens) {
    double perToken =
        2.0
            * layers
            * ((double) hidden * attention().qkvWidth()
                + (double) attention().outWidth() * hidden
                + 3.0 * hidden * feedForward);
    double pairs = tokens * (tokens + 1.0) / 2;
    return perToken * tokens
        + 4.0 * layers * attention().outWidth() * pairs
        + 2.0 * hidden * vocabulary;
  }

  /** What the scheduler needs. Times are the least there are: a step takes what it takes. */
  public EngineProfile scheduling() {
    long bytes = parameters() * storage.bytes + kvBytes();
    return new EngineProfile(
        name,
        source,
        1,
        0,
        0,
        0,
        0,
        0,
        tokenBudget,
        maxSequences,
        kvBlocks,
        blockTokens,
        new EngineProfile.Gpu("CUDA device", bytes, bytes));
  }

  private static void requireSize(int value, String field, int most) {
    require(value >= 1 && value <= most, field, value, "from 1 to " + most);
  }

  private static void require(boolean holds, String field, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(field + " is " + value + ", must be " + expected);
    }
  }
}
