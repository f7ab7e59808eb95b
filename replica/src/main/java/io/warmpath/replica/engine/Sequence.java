package io.warmpath.replica.engine;

import java.util.Objects;

/**
 * One request inside an engine: a prompt to compute and a number of tokens to generate. An instance
 * serves one submission.
 */
public final class Sequence {

  /** Where a sequence stands. */
  public enum State {
    /** Made, not submitted. */
    NEW,
    /** Submitted, or preempted; holds no KV blocks. */
    WAITING,
    /** In the batch. */
    RUNNING,
    FINISHED,
    ABORTED
  }

  private static final int UNKNOWN = -1;

  final long[] blockHashes;
  final SequenceListener listener;

  /** The KV blocks it holds, in token order; {@link KvCache} keeps them. */
  int[] blocks = {};

  int blockCount;

  /** Of them, how many are registered under their hash. */
  int registeredBlocks;

  /** {@link KvCache#epoch} at admission: blocks of an emptied cache are not registered again. */
  int cacheEpoch;

  State state = State.NEW;
  long readyUs;
  int computedTokens;
  int scheduledTokens;
  int generatedTokens;

  private final String requestId;
  private final int promptTokens;
  private final int outputTokens;
  private final int[] tokens;
  private double prefillGpuUs = UNKNOWN;
  private int cachedTokens = UNKNOWN;
  private long admittedUs = UNKNOWN;

  /**
   * A sequence.
   *
   * @param requestId name for reports
   * @param blockHashes chained hashes of all full blocks of prompt and answer; where the answer's
   *     are left out, its blocks are not cached. Not copied
   * @param promptTokens at least 1
   * @param outputTokens tokens to generate, at least 1
   * @param listener hears of its progress
   */
  public Sequence(
      String requestId,
      long[] blockHashes,
      int promptTokens,
      int outputTokens,
      SequenceListener listener) {
    this(requestId, blockHashes, promptTokens, outputTokens, null, listener);
  }

  /**
   * A sequence that can be computed.
   *
   * @param tokens ids of prompt and answer, for engines that compute and listeners that read them;
   *     else null. Not copied
   */
  public Sequence(
      String requestId,
      long[] blockHashes,
      int promptTokens,
      int outputTokens,
      int[] tokens,
      SequenceListener listener) {
    if (promptTokens < 1 || outputTokens < 1) {
      throw new IllegalArgumentException(
          "a sequence needs at least 1 prompt and 1 output token, not "
              + promptTokens
              + " and "
              + outputTokens);
    }
    this.requestId = Objects.requireNonNull(requestId, "requestId");
    this.blockHashes = Objects.requireNonNull(blockHashes, "blockHashes");
    this.promptTokens = promptTokens;
    this.outputTokens = outputTokens;
    this.tokens = tokens;
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  public String requestId() {
    return requestId;
  }

  public int promptTokens() {
    return promptTokens;
  }

  public int outputTokens() {
    return outputTokens;
  }

  public State state() {
    return state;
  }

  /** Tokens generated so far. */
  public int generatedTokens() {
    return generatedTokens;
  }

  /**
   * Prompt tokens taken from the cache at the first admission, at most {@code promptTokens} − 1.
   * What a preempted sequence finds again of its own is not in it.
   *
   * @throws IllegalStateException before the first admission
   */
  public int cachedTokens() {
    requireAdmitted();
    return cachedTokens;
  }

  /**
   * Start of its first step, in microseconds of the engine's timeline.
   *
   * @throws IllegalStateException before the first admission
   */
  public long admittedUs() {
    requireAdmitted();
    return admittedUs;
  }

  /** Whether it has been in the batch at least once. */
  public boolean wasAdmitted() {
    return cachedTokens != UNKNOWN;
  }

  /** Tokens whose KV entries are there. */
  public int computedTokens() {
    return computedTokens;
  }

  /** Tokens after these that the step under way computes. */
  public int scheduledTokens() {
    return scheduledTokens;
  }

  /** Whether the step under way computes all it knows, and so generates a token. */
  public boolean generates() {
    return scheduledTokens > 0 && computedTokens + scheduledTokens == knownTokens();
  }

  /**
   * Id of a token of prompt or answer, by its place.
   *
   * @throws IllegalStateException if the sequence was made without them
   */
  public int token(int position) {
    if (tokens == null) {
      throw new IllegalStateException("sequence " + requestId + " was made without tokens");
    }
    return tokens[position];
  }

  /** Chained hash of a full block of prompt or answer, by its place. */
  public long blockHash(int index) {
    return blockHashes[index];
  }

  /** Number of the KV block that holds its tokens from {@code index} · tokens a block on. */
  public int block(int index) {
    return blocks[Objects.checkIndex(index, blockCount)];
  }

  /** Adds time of a GPU to what its prefill took. */
  public void addPrefillGpuUs(double us) {
    prefillGpuUs = us + (prefillGpuUs == UNKNOWN ? 0 : prefillGpuUs);
  }

  /** Time of a GPU that its prefill took, in microseconds; null where it was not measured. */
  public Long prefillGpuUs() {
    return prefillGpuUs == UNKNOWN ? null : Long.valueOf(Math.round(prefillGpuUs));
  }

  /** Tokens whose KV entries the next forward passes need: the prompt and what was generated. */
  int knownTokens() {
    return promptTokens + generatedTokens;
  }

  /** Whether only its newest token is left to compute. */
  public boolean decoding() {
    return generatedTokens > 0 && computedTokens == knownTokens() - 1;
  }

  void admitted(int hitTokens, long nowUs) {
    state = State.RUNNING;
    computedTokens = hitTokens;
    if (!wasAdmitted()) {
      cachedTokens = hitTokens;
      admittedUs = nowUs;
    }
  }

  private void requireAdmitted() {
    if (!wasAdmitted()) {
      throw new IllegalStateException("sequence " + requestId + " was not admitted yet");
    }
  }
}
