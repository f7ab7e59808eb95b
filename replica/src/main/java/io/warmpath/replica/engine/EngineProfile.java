package io.warmpath.replica.engine;

import java.util.List;
import java.util.Objects;

/**
 * What a modelled engine needs to know of a GPU, a model and a server's settings.
 *
 * <p>A step takes {@code b0 + b1 · prefill tokens + b2 · decoding sequences + attention}, where
 * attention is one share per token of context that decoding sequences read, and one per pair of a
 * prefill token and a token that it attends to.
 *
 * @param name name of the profile
 * @param source where its figures come from
 * @param b0Us fixed time of a step
 * @param b1UsPerPrefillToken time of a prefill token
 * @param b2UsPerDecodeSequence time of a decoding sequence
 * @param attentionUsPerDecodeContextToken time per token of context of each decoding sequence; 0
 *     where b1 and b2 were fitted without it
 * @param attentionUsPerPrefillPair time per pair of a prefill token and a token before it or itself
 * @param requestOverheadUs from a request's arrival until its first step can start, engine not
 *     occupied: HTTP, tokenization, queues
 * @param tokenBudget most tokens a step
 * @param maxSequences most sequences in the batch
 * @param kvBlocks KV blocks
 * @param blockTokens tokens a KV block
 * @param gpu the GPU
 */
public record EngineProfile(
    String name,
    String source,
    double b0Us,
    double b1UsPerPrefillToken,
    double b2UsPerDecodeSequence,
    double attentionUsPerDecodeContextToken,
    double attentionUsPerPrefillPair,
    long requestOverheadUs,
    int tokenBudget,
    int maxSequences,
    int kvBlocks,
    int blockTokens,
    Gpu gpu) {

  /** A bound for tokens, sequences and blocks that keeps every array and product in range. */
  static final int MOST = 1 << 24;

  private static final double MOST_US = 1e9;

  /**
   * A GPU.
   *
   * @param name its name
   * @param memoryTotalBytes memory it has
   * @param memoryUsedBytes memory that weights and KV blocks take, which servers claim at the start
   */
  public record Gpu(String name, long memoryTotalBytes, long memoryUsedBytes) {
    public Gpu {
      Objects.requireNonNull(name, "gpu.name");
      require(memoryTotalBytes > 0, "gpu.memory_total_bytes", memoryTotalBytes, "at least 1");
      require(
          memoryUsedBytes >= 0 && memoryUsedBytes <= memoryTotalBytes,
          "gpu.memory_used_bytes",
          memoryUsedBytes,
          "from 0 to memory_total_bytes");
    }
  }

  /**
   * Checks every figure.
   *
   * @throws IllegalArgumentException naming the field as it stands in the profile's file
   */
  public EngineProfile {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(gpu, "gpu");
    requireMicros(b0Us, "b0_us");
    require(b0Us >= 1, "b0_us", b0Us, "at least 1, or time would stand still");
    requireMicros(b1UsPerPrefillToken, "b1_us_per_prefill_token");
    requireMicros(b2UsPerDecodeSequence, "b2_us_per_decode_sequence");
    requireMicros(attentionUsPerDecodeContextToken, "attention_us_per_decode_context_token");
    requireMicros(attentionUsPerPrefillPair, "attention_us_per_prefill_pair");
    requireMicros(requestOverheadUs, "request_overhead_us");
    requireCount(tokenBudget, "token_budget");
    requireCount(maxSequences, "max_sequences");
    requireCount(kvBlocks, "kv_blocks");
    requireCount(blockTokens, "block_tokens");
    require(
        (long) kvBlocks * blockTokens <= Integer.MAX_VALUE / 2,
        "kv_blocks",
        kvBlocks,
        "less: kv_blocks × block_tokens would pass " + Integer.MAX_VALUE / 2 + " tokens");
  }

  /**
   * A profile by the name of a built-in one, or by the path of a JSON file (anything with a {@code
   * /} or the ending {@code .json}).
   *
   * @throws IllegalArgumentException if there is none (the message lists the built-in names), or if
   *     a field is wrong (the message names file and field)
   */
  public static EngineProfile load(String nameOrPath) {
    return ProfileFile.load(nameOrPath);
  }

  /** Names of the built-in profiles, in order. */
  public static List<String> builtIn() {
    return ProfileFile.BUILT_IN;
  }

  /** The same engine with another number of KV blocks. */
  public EngineProfile withKvBlocks(int blocks) {
    return withKv(blocks, blockTokens);
  }

  /** The same engine with another block size; the number of blocks stays. */
  public EngineProfile withBlockTokens(int tokens) {
    return withKv(kvBlocks, tokens);
  }

  /** The same engine with another KV cache. */
  public EngineProfile withKv(int blocks, int tokensPerBlock) {
    return with(blocks, tokensPerBlock, gpu);
  }

  /** The same engine on another GPU. */
  public EngineProfile withGpu(Gpu other) {
    return with(kvBlocks, blockTokens, other);
  }

  private EngineProfile with(int blocks, int tokensPerBlock, Gpu onGpu) {
    return new EngineProfile(
        name,
        source,
        b0Us,
        b1UsPerPrefillToken,
        b2UsPerDecodeSequence,
        attentionUsPerDecodeContextToken,
        attentionUsPerPrefillPair,
        requestOverheadUs,
        tokenBudget,
        maxSequences,
        blocks,
        tokensPerBlock,
        onGpu);
  }

  /** Most tokens, prompt and answer together, that one sequence can have. */
  public int maxModelTokens() {
    return kvBlocks * blockTokens;
  }

  /**
   * Time of a step in microseconds.
   *
   * @param prefillTokens prompt tokens computed
   * @param decodeSequences sequences that compute only their newest token
   * @param decodeContextTokens tokens of context that these read, all together
   * @param prefillPairs pairs of a prefill token and a token that it attends to
   */
  public double stepUs(
      long prefillTokens, int decodeSequences, long decodeContextTokens, long prefillPairs) {
    return b0Us
        + b1UsPerPrefillToken * prefillTokens
        + b2UsPerDecodeSequence * decodeSequences
        + attentionUsPerDecodeContextToken * decodeContextTokens
        + attentionUsPerPrefillPair * prefillPairs;
  }

  private static void requireCount(int value, String field) {
    require(value >= 1 && value <= MOST, field, value, "from 1 to " + MOST);
  }

  private static void requireMicros(double value, String field) {
    require(value >= 0 && value <= MOST_US, field, value, "from 0 to " + MOST_US);
  }

  private static void require(boolean holds, String field, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(field + " is " + value + ", must be " + expected);
    }
  }
}
