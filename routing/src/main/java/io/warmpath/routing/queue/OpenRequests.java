package io.warmpath.routing.queue;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * The open requests of a simulated replica that computes prompts in order: how many, and the tokens
 * of them that a policy counts as load. Times are µs of any one clock.
 */
public final class OpenRequests {

  private record Load(long untilMicros, long tokens) {}

  private final int max;
  private final Queue<Load> open = new PriorityQueue<>(Comparator.comparingLong(Load::untilMicros));
  private final Queue<Load> awaitingFirstToken = new ArrayDeque<>();
  private long outstandingTokens;
  private long backlogTokens;

  /**
   * @param max requests beyond this count as ended, those that end first first
   */
  public OpenRequests(int max) {
    this.max = max;
  }

  /** Requests that have not ended. */
  public int count() {
    return open.size();
  }

  /** Uncached and output tokens of open requests. */
  public long outstandingTokens() {
    return outstandingTokens;
  }

  /** Uncached tokens of requests without a first token. */
  public long backlogTokens() {
    return backlogTokens;
  }

  /** Lets go of what has ended by now. */
  public void advance(long nowMicros) {
    while (isOver(open.peek(), nowMicros)) {
      outstandingTokens -= open.remove().tokens;
    }
    while (isOver(awaitingFirstToken.peek(), nowMicros)) {
      backlogTokens -= awaitingFirstToken.remove().tokens;
    }
  }

  private static boolean isOver(Load load, long nowMicros) {
    return load != null && load.untilMicros <= nowMicros;
  }

  /**
   * Adds a request, whose first token is no earlier than that of any before.
   *
   * @param firstTokenMicros when its first token is there
   * @param endMicros when it ends
   * @param uncachedTokens prompt tokens to compute
   * @param outputTokens tokens to decode
   */
  public void add(long firstTokenMicros, long endMicros, long uncachedTokens, long outputTokens) {
    long tokens = uncachedTokens + outputTokens;
    open.add(new Load(endMicros, tokens));
    outstandingTokens += tokens;
    awaitingFirstToken.add(new Load(firstTokenMicros, uncachedTokens));
    backlogTokens += uncachedTokens;
    if (open.size() > max) {
      outstandingTokens -= open.remove().tokens;
    }
    if (awaitingFirstToken.size() > max) {
      backlogTokens -= awaitingFirstToken.remove().tokens;
    }
  }

  /** Writes all of them. */
  public void writeTo(DataOutput out) throws IOException {
    write(open, out);
    write(awaitingFirstToken, out);
  }

  private static void write(Collection<Load> loads, DataOutput out) throws IOException {
    out.writeInt(loads.size());
    for (Load load : loads) {
      out.writeLong(load.untilMicros);
      out.writeLong(load.tokens);
    }
  }

  /** Takes in what {@link #writeTo} wrote; nothing may be open yet. */
  public void readFrom(DataInput in) throws IOException {
    outstandingTokens = read(open, in);
    backlogTokens = read(awaitingFirstToken, in);
  }

  /** Returns the sum of the tokens read. */
  private static long read(Queue<Load> into, DataInput in) throws IOException {
    int size = in.readInt();
    long tokens = 0;
    for (int i = 0; i < size; i++) {
      Load load = new Load(in.readLong(), in.readLong());
      into.add(load);
      tokens += load.tokens;
    }
    return tokens;
  }
}
