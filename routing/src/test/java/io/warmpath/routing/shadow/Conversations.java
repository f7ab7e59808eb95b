package io.warmpath.routing.shadow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Conversations that grow turn by turn, all after one system prompt, as a list of requests by
 * arrival. Block ids are as evenly spread as hashes.
 */
final class Conversations {

  static final int BLOCK_TOKENS = 16;

  /** A request with all its blocks. */
  record Turn(long timeMicros, long[] blocks, int tokens, long session, int outputTokens) {

    ShadowRequest at(SampleRate rate) {
      return new ShadowRequest(
          timeMicros,
          SampledPrompt.of(tokens, BLOCK_TOKENS, blocks.length, blocks, rate),
          session,
          outputTokens,
          25_000L * outputTokens);
    }
  }

  private Conversations() {}

  /**
   * Makes requests.
   *
   * @param systemBlocks blocks that all prompts begin with
   */
  static List<Turn> generate(long seed, int requests, int systemBlocks) {
    Random random = new Random(seed);
    long[] system = random.longs(systemBlocks).toArray();
    List<long[]> open = new ArrayList<>();
    List<Long> sessions = new ArrayList<>();
    List<Turn> turns = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < requests; i++) {
      now += (long) (-Math.log(1 - random.nextDouble()) * 120_000);
      if (open.size() < 40 || random.nextInt(12) == 0) {
        open.add(grown(system, random, 20 + random.nextInt(120)));
        sessions.add(random.nextLong());
      }
      int which = random.nextInt(open.size());
      long[] blocks = grown(open.get(which), random, 4 + random.nextInt(24));
      open.set(which, blocks);
      int tokens = blocks.length * BLOCK_TOKENS + random.nextInt(BLOCK_TOKENS);
      turns.add(new Turn(now, blocks, tokens, sessions.get(which), 20 + random.nextInt(200)));
      if (blocks.length > 400 || open.size() > 60) {
        open.remove(which);
        sessions.remove(which);
      }
    }
    return turns;
  }

  private static long[] grown(long[] blocks, Random random, int by) {
    long[] longer = Arrays.copyOf(blocks, blocks.length + by);
    for (int i = blocks.length; i < longer.length; i++) {
      longer[i] = random.nextLong();
    }
    return longer;
  }
}
