package io.warmpath.lab.founding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The founding experiment's workload: {@link #WORKERS} workers play whole conversations, each
 * taking the next one when it is through with its last, against {@link #REPLICAS} replicas. The
 * same seed gives the same workload.
 *
 * <p>Published are the numbers of conversations and turns, the least document, the think time and
 * the limit of an answer. The other sizes are fitted; docs/founding-experiment.md says how.
 *
 * @param seed what it was generated from
 * @param conversations in the order in which they are played
 */
public record FoundingWorkload(long seed, List<Conversation> conversations) {

  public static final int REPLICAS = 4;
  public static final int WORKERS = 4;
  public static final int CODE_CONVERSATIONS = 5;
  public static final int TEXT_CONVERSATIONS = 6;
  public static final int TURNS = 10;

  /** Requests of one arm. */
  public static final int REQUESTS = (CODE_CONVERSATIONS + TEXT_CONVERSATIONS) * TURNS;

  private static final long LEAST_THINK_MICROS = 500_000;
  private static final long MOST_THINK_MICROS = 2_000_000;

  public FoundingWorkload {
    conversations = List.copyOf(conversations);
  }

  /** The workload of a seed, with the fitted sizes. */
  public static FoundingWorkload generate(long seed) {
    return generate(seed, FoundingSizes.FITTED);
  }

  /** The workload of a seed with other sizes. */
  public static FoundingWorkload generate(long seed, FoundingSizes sizes) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Conversation> conversations = new ArrayList<>();
    for (int i = 0; i < CODE_CONVERSATIONS + TEXT_CONVERSATIONS; i++) {
      Conversation.Kind kind =
          i < CODE_CONVERSATIONS ? Conversation.Kind.CODE : Conversation.Kind.TEXT;
      conversations.add(conversation(i, kind, sizes, random.split()));
    }
    Collections.shuffle(conversations, new Random(random.nextLong()));
    return new FoundingWorkload(seed, conversations);
  }

  private static Conversation conversation(
      int number, Conversation.Kind kind, FoundingSizes sizes, SplittableRandom random) {
    int material =
        kind == Conversation.Kind.TEXT
            ? uniform(random, sizes.leastDocument(), sizes.mostDocument())
            : uniform(random, sizes.leastCode(), sizes.mostCode());
    List<Turn> turns = new ArrayList<>();
    for (int turn = 1; turn <= TURNS; turn++) {
      int question = uniform(random, sizes.leastQuestion(), sizes.mostQuestion());
      UserText text =
          new UserText(kind, turn == 1 ? material + question : question, random.nextLong());
      long thinkMicros = random.nextLong(LEAST_THINK_MICROS, MOST_THINK_MICROS + 1);
      int answer = uniform(random, sizes.leastAnswer(), sizes.mostAnswer());
      turns.add(new Turn(turn, text, thinkMicros, Math.min(sizes.answerLimit(), answer)));
    }
    return new Conversation(number, kind, turns);
  }

  private static int uniform(SplittableRandom random, int least, int most) {
    return random.nextInt(least, most + 1);
  }
}
