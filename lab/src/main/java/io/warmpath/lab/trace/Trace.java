package io.warmpath.lab.trace;

/**
 * A recorded sequence of requests in the order of its file. Requests are numbered from 0.
 *
 * <p>Ids of blocks are chained prefix ids: an id always has the same position in a prompt and the
 * same predecessor. A trace may have none (lengths only).
 */
public final class Trace {

  /** Value of {@link #session} where a request belongs to no known session. */
  public static final long NO_SESSION = 0;

  private final String name;
  private final TraceFormat format;
  private final int blockTokens;
  private final long[] arrivalMicros;
  private final int[] inputTokens;
  private final int[] outputTokens;
  private final long[] sessions;
  private final long[] blockIds;
  private final long[] firstBlock;
  private final boolean sessionsKnown;

  Trace(TraceBuilder from) {
    name = from.name();
    format = from.format();
    blockTokens = from.blockTokens();
    arrivalMicros = from.arrivalMicros();
    inputTokens = from.inputTokens();
    outputTokens = from.outputTokens();
    sessions = from.sessions();
    blockIds = from.blockIds();
    firstBlock = from.firstBlock();
    sessionsKnown = from.sessionsKnown();
  }

  /** Name of the file, without folder and extensions. */
  public String name() {
    return name;
  }

  public TraceFormat format() {
    return format;
  }

  /** Tokens of a block. */
  public int blockTokens() {
    return blockTokens;
  }

  /** Number of requests. */
  public int size() {
    return arrivalMicros.length;
  }

  /** When the request arrives, in µs on the trace's own time line. */
  public long arrivalMicros(int request) {
    return arrivalMicros[request];
  }

  /** Length of the prompt. */
  public int inputTokens(int request) {
    return inputTokens[request];
  }

  /** Length of the answer. */
  public int outputTokens(int request) {
    return outputTokens[request];
  }

  /** Number of the request's session from 1, or {@link #NO_SESSION}. */
  public long session(int request) {
    return sessions[request];
  }

  /** Whether every request belongs to a known session. */
  public boolean sessionsKnown() {
    return sessionsKnown;
  }

  /** Ids listed for the request, a partial last block included. */
  public int blocks(int request) {
    return (int) (firstBlock[request + 1] - firstBlock[request]);
  }

  /** Leading ids of the request that stand for full blocks: only these can be cached. */
  public int fullBlocks(int request) {
    return Math.min(inputTokens[request] / blockTokens, blocks(request));
  }

  /** Id of the request's block at {@code position}, counted from 0. */
  public long blockId(int request, int position) {
    return blockIds[(int) firstBlock[request] + position];
  }

  /** A copy of the first {@code count} ids of the request. */
  public long[] leadingIds(int request, int count) {
    int from = (int) firstBlock[request];
    return java.util.Arrays.copyOfRange(blockIds, from, from + count);
  }

  /** Sum of the prompts' lengths. */
  public long totalInputTokens() {
    long total = 0;
    for (int tokens : inputTokens) {
      total += tokens;
    }
    return total;
  }

  /** The first {@code limit} requests, or this trace when it has no more. */
  public Trace first(int limit) {
    return limit >= size() ? this : TraceBuilder.copyOf(this, limit).build();
  }
}
