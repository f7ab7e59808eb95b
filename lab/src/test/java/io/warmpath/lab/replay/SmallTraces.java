package io.warmpath.lab.replay;

import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceFormat;
import io.warmpath.lab.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Traces that tests generate. */
public final class SmallTraces {

  /** Tokens of a block in Mooncake's files. */
  static final int BLOCK_TOKENS = 512;

  private SmallTraces() {}

  /** A trace of lines in Mooncake's form. */
  public static Trace mooncake(List<String> lines) throws IOException {
    Path file = Files.createTempFile("trace", ".jsonl");
    try {
      Files.write(file, lines);
      return TraceReader.read(file, TraceFormat.MOONCAKE);
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
}
