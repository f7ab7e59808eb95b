package io.warmpath.lab.replay;

import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceFormat;
import io.warmpath.lab.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** Traces that tests generate. */
public final class SmallTraces {

  /** Tokens of a block in Mooncake's files. */
  static final int BLOCK_TOKENS = 512;

  private static final int SMALL_BLOCK_TOKENS = 16;

  private SmallTraces() {}

  /** A trace of lines in Mooncake's form. */
  public static Trace mooncake(List<String> lines) throws IOException {
    return mooncake(lines, BLOCK_TOKENS);
  }

  private static Trace mooncake(List<String> lines, int blockTokens) throws IOException {
    Path file = Files.createTempFile("trace", ".jsonl");
    try {
      Files.write(file, lines);
      return TraceReader.read(file, TraceFormat.MOONCAKE, OptionalInt.of(blockTokens));
    } finally {
      Files.delete(file);
    }
  }

  /** One line in Mooncake's form. */
  static String line(long timestampMs, int inputTokens, int outputTokens, String hashIds) {
    return "{\"timestamp\":%d,\"input_length\":%d,\"output_length\":%d,\"hash_ids\":[%s]}"
        .formatted(timestampMs, inputTokens, outputTokens, hashIds);
  }

  /**
   * Conversations that grow by one block a turn and all begin with the same block.
   *
   * @param gapMs mean time between requests
   */
  public static Trace conversations(int conversations, int turns, int gapMs, long seed)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> lines = new ArrayList<>();
    StringBuilder[] ids = new StringBuilder[conversations];
    int[] length = new int[conversations];
    int nextId = 1;
    long timeMs = 0;
    for (int turn = 0; turn < turns; turn++) {
      for (int conversation = 0; conversation < conversations; conversation++) {
        if (turn == 0) {
          ids[conversation] = new StringBuilder("0");
        }
        ids[conversation].append(',').append(nextId++);
        length[conversation] = turn + 2;
        int tail = random.nextInt(1, BLOCK_TOKENS);
        // The id of the part behind the last full block is its own in every request.
        String all = ids[conversation] + "," + nextId++;
        lines.add(
            line(timeMs, length[conversation] * BLOCK_TOKENS + tail, random.nextInt(1, 24), all));
        timeMs += random.nextInt(2 * gapMs + 1);
      }
    }
    return mooncake(lines);
  }

  /**
   * Conversations that begin and end at random times, all with the same 20 blocks first, and grow
   * turn by turn. Blocks have 16 tokens, so that a prompt has hundreds of them.
   *
   * @param gapMs mean time between requests, exponentially distributed
   */
  public static Trace comingAndGoing(int requests, int gapMs, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> lines = new ArrayList<>();
    List<List<Integer>> open = new ArrayList<>();
    List<Integer> system = new ArrayList<>();
    int nextId = grow(system, 0, 20);
    long timeMs = 0;
    for (int i = 0; i < requests; i++) {
      timeMs += Math.round(-Math.log(1 - random.nextDouble()) * gapMs);
      if (open.size() < 40 || random.nextInt(12) == 0) {
        open.add(new ArrayList<>(system));
        nextId = grow(open.get(open.size() - 1), nextId, random.nextInt(20, 140));
      }
      int which = random.nextInt(open.size());
      List<Integer> ids = open.get(which);
      nextId = grow(ids, nextId, random.nextInt(4, 28));
      String all = ids.toString();
      int tokens = ids.size() * SMALL_BLOCK_TOKENS;
      lines.add(line(timeMs, tokens, random.nextInt(20, 220), all.substring(1, all.length() - 1)));
      if (ids.size() > 400 || open.size() > 60) {
        open.remove(which);
      }
    }
    return mooncake(lines, SMALL_BLOCK_TOKENS);
  }

  private static int grow(List<Integer> ids, int nextId, int by) {
    for (int i = 0; i < by; i++) {
      ids.add(nextId + i);
    }
    return nextId + by;
  }
}
