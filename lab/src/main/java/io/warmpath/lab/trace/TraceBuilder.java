package io.warmpath.lab.trace;

import java.util.Arrays;

/** Collects a trace request by request: fields first, then {@link #endRequest}. */
final class TraceBuilder {

  /** Requests and block ids that one trace may hold at most, so that a hostile file stops here. */
  private static final int MAX_REQUESTS = 20_000_000;

  private static final int MAX_BLOCK_IDS = 400_000_000;

  private final String name;
  private final TraceFormat format;
  private final int blockTokens;
  private final ChainCheck chain = new ChainCheck();

  private long[] arrivalMicros = new long[1024];
  private int[] inputTokens = new int[1024];
  private int[] outputTokens = new int[1024];
  private long[] sessions = new long[1024];
  private long[] firstBlock = new long[1025];
  private int requests;

  private long[] blockIds = new long[16 * 1024];
  private int blocks;
  private boolean sessionsKnown = true;

  TraceBuilder(String name, TraceFormat format, int blockTokens) {
    this.name = name;
    this.format = format;
    this.blockTokens = blockTokens;
  }

  static TraceBuilder copyOf(Trace trace, int limit) {
    TraceBuilder builder = new TraceBuilder(trace.name(), trace.format(), trace.blockTokens());
    for (int i = 0; i < limit; i++) {
      for (int b = 0; b < trace.blocks(i); b++) {
        builder.block(trace.blockId(i, b));
      }
      builder.endRequest(
          trace.arrivalMicros(i), trace.inputTokens(i), trace.outputTokens(i), trace.session(i));
    }
    return builder;
  }

  /** Appends an id to the request that is being read. */
  void block(long id) {
    if (blocks == blockIds.length) {
      if (blocks >= MAX_BLOCK_IDS) {
        throw new IllegalArgumentException("more than " + MAX_BLOCK_IDS + " block ids in one file");
      }
      blockIds = Arrays.copyOf(blockIds, Math.min(MAX_BLOCK_IDS, 2 * blocks));
    }
    blockIds[blocks++] = id;
  }

  /**
   * Ends the request that is being read.
   *
   * @throws IllegalArgumentException if the ids are no chain, or the file is too large
   */
  void endRequest(long arrival, int input, int output, long session) {
    if (requests == MAX_REQUESTS) {
      throw new IllegalArgumentException("more than " + MAX_REQUESTS + " requests in one file");
    }
    if (requests == arrivalMicros.length) {
      grow(2 * requests);
    }
    int from = (int) firstBlock[requests];
    int full = Math.min(input / blockTokens, blocks - from);
    chain.check(blockIds, from, from + full);
    arrivalMicros[requests] = arrival;
    inputTokens[requests] = input;
    outputTokens[requests] = output;
    sessions[requests] = session;
    sessionsKnown &= session != Trace.NO_SESSION;
    firstBlock[++requests] = blocks;
  }

  private void grow(int capacity) {
    arrivalMicros = Arrays.copyOf(arrivalMicros, capacity);
    inputTokens = Arrays.copyOf(inputTokens, capacity);
    outputTokens = Arrays.copyOf(outputTokens, capacity);
    sessions = Arrays.copyOf(sessions, capacity);
    firstBlock = Arrays.copyOf(firstBlock, capacity + 1);
  }

  int size() {
    return requests;
  }

  Trace build() {
    return new Trace(this);
  }

  String name() {
    return name;
  }

  TraceFormat format() {
    return format;
  }

  int blockTokens() {
    return blockTokens;
  }

  long[] arrivalMicros() {
    return Arrays.copyOf(arrivalMicros, requests);
  }

  int[] inputTokens() {
    return Arrays.copyOf(inputTokens, requests);
  }

  int[] outputTokens() {
    return Arrays.copyOf(outputTokens, requests);
  }

  long[] sessions() {
    return Arrays.copyOf(sessions, requests);
  }

  long[] firstBlock() {
    return Arrays.copyOf(firstBlock, requests + 1);
  }

  long[] blockIds() {
    return Arrays.copyOf(blockIds, blocks);
  }

  boolean sessionsKnown() {
    return sessionsKnown && requests > 0;
  }
}
