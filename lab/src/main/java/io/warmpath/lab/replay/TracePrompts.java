package io.warmpath.lab.replay;

import io.warmpath.lab.trace.Trace;

/**
 * Token ids for the prompts of a trace. A block's id stands for its content, so equal ids give
 * equal tokens; what lies behind the last full block is the request's own. Two replays of a trace
 * give the same tokens.
 */
public final class TracePrompts {

  /** About the size of real vocabularies: enough to tell blocks apart, and short in JSON. */
  private static final int VOCABULARY = 100_000;

  private static final long OWN = 0x5bd1_e995_97f4_a7c5L;

  private final Trace trace;

  public TracePrompts(Trace trace) {
    this.trace = trace;
  }

  /** The prompt of a request, exactly as long as the trace says. */
  public int[] tokens(int request) {
    int[] tokens = new int[trace.inputTokens(request)];
    int blockTokens = trace.blockTokens();
    int full = trace.fullBlocks(request);
    for (int block = 0; block < full; block++) {
      fill(tokens, block * blockTokens, (block + 1) * blockTokens, trace.blockId(request, block));
    }
    fill(tokens, full * blockTokens, tokens.length, mixed(OWN + request));
    return tokens;
  }

  private static void fill(int[] tokens, int from, int to, long seed) {
    long state = mixed(seed);
    for (int i = from; i < to; i++) {
      state += 0x9e37_79b9_7f4a_7c15L;
      tokens[i] = (int) Long.remainderUnsigned(mixed(state), VOCABULARY);
    }
  }

  /** The output function of SplitMix64: every bit of the result depends on every bit given. */
  private static long mixed(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
    return z ^ (z >>> 31);
  }
}
