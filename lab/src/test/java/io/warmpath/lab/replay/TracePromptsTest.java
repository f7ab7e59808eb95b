package io.warmpath.lab.replay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.trace.Trace;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TracePromptsTest {

  private static final int BLOCK = SmallTraces.BLOCK_TOKENS;

  private final Trace trace;
  private final TracePrompts prompts;

  TracePromptsTest() throws IOException {
    trace =
        SmallTraces.mooncake(
            List.of(
                SmallTraces.line(0, 2 * BLOCK + 100, 5, "0,1,2"),
                SmallTraces.line(0, 2 * BLOCK + 100, 5, "0,1,2"),
                SmallTraces.line(0, 2 * BLOCK, 5, "0,3")));
    prompts = new TracePrompts(trace);
  }

  @Test
  void promptsAreAsLongAsTheTraceSays() {
    for (int request = 0; request < trace.size(); request++) {
      assertEquals(trace.inputTokens(request), prompts.tokens(request).length);
    }
  }

  @Test
  void equalIdsGiveEqualTokensAndOthersDoNot() {
    int[] first = prompts.tokens(0);
    int[] second = prompts.tokens(1);
    int[] third = prompts.tokens(2);

    assertArrayEquals(Arrays.copyOf(first, 2 * BLOCK), Arrays.copyOf(second, 2 * BLOCK));
    assertArrayEquals(Arrays.copyOf(first, BLOCK), Arrays.copyOf(third, BLOCK));
    assertTrue(Arrays.mismatch(first, BLOCK, 2 * BLOCK, third, BLOCK, 2 * BLOCK) < 3);
  }

  @Test
  void whatLiesBehindTheLastFullBlockIsTheRequestsOwn() {
    int tail = 2 * BLOCK;
    assertTrue(
        Arrays.mismatch(prompts.tokens(0), tail, tail + 100, prompts.tokens(1), tail, tail + 100)
            < 3);
  }

  @Test
  void asksForTheSameTokensEachTime() {
    assertArrayEquals(prompts.tokens(0), new TracePrompts(trace).tokens(0));
  }
}
