package io.warmpath.replica.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What holds for any load: small caches, small budgets, clients that leave, caches emptied. */
class BatchEnginePropertiesTest {

  private static final int SEQUENCES = 25;
  private static final int MOST_STEPS = 100_000;

  @Property(tries = 300)
  void everySequenceEndsAndNothingIsLost(@ForAll long seed) {
    Random random = new Random(seed);
    EngineProfile profile =
        EngineFixture.profile(
            8 + random.nextInt(40), 1 + random.nextInt(40), 1 + random.nextInt(8));
    EngineFixture fixture = new EngineFixture(profile);
    List<Sequence> all = new ArrayList<>();
    List<String> tokens = new ArrayList<>();
    for (int step = 0; all.size() < SEQUENCES || !fixture.engine.idle(); step++) {
      assertTrue(step < MOST_STEPS, "the engine goes in circles");
      if (all.size() < SEQUENCES && (fixture.engine.idle() || random.nextInt(3) == 0)) {
        Sequence next = sequence(random, profile, tokens);
        all.add(next);
        fixture.submit(next);
      }
      fixture.nowUs = fixture.engine.startStep(fixture.nowUs);
      interfere(random, fixture, all);
      fixture.engine.finishStep();
      assertSound(fixture, all);
    }
    for (Sequence sequence : all) {
      assertTrue(sequence.state() != Sequence.State.RUNNING);
      if (sequence.state() == Sequence.State.FINISHED) {
        assertEquals(sequence.outputTokens(), sequence.generatedTokens());
      }
    }
    assertEquals(all.stream().mapToInt(Sequence::generatedTokens).sum(), tokens.size());
    assertEquals(0, fixture.cache.usedBlocks());
  }

  @Property(tries = 50)
  void sameLoadGivesSameTimes(@ForAll long seed) {
    assertEquals(timesOf(seed), timesOf(seed));
  }

  private static List<Long> timesOf(long seed) {
    Random random = new Random(seed);
    EngineFixture fixture = new EngineFixture(EngineFixture.profile(30, 16, 4));
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < SEQUENCES; i++) {
      fixture.submit(sequence(random, fixture.engine.profile(), new ArrayList<>()));
      fixture.step();
      times.add(fixture.nowUs);
    }
    return times;
  }

  private static void interfere(Random random, EngineFixture fixture, List<Sequence> all) {
    if (random.nextInt(20) == 0) {
      fixture.engine.abort(all.get(random.nextInt(all.size())));
    }
    if (random.nextInt(60) == 0) {
      fixture.cache.clear();
    }
  }

  private static void assertSound(EngineFixture fixture, List<Sequence> all) {
    KvCache cache = fixture.cache;
    assertEquals(cache.totalBlocks(), cache.usedBlocks() + cache.freeBlocks());
    assertTrue(cache.cachedBlocks() <= cache.totalBlocks());
    int running = 0;
    long queried = 0;
    long hits = 0;
    for (Sequence sequence : all) {
      running += sequence.state() == Sequence.State.RUNNING ? 1 : 0;
      if (sequence.wasAdmitted()) {
        assertTrue(sequence.cachedTokens() < sequence.promptTokens());
        queried += sequence.promptTokens();
        hits += sequence.cachedTokens();
      }
    }
    assertEquals(running, fixture.engine.running());
    assertTrue(running <= fixture.engine.profile().maxSequences());
    assertEquals(queried, fixture.engine.queriedTokens());
    assertEquals(hits, fixture.engine.hitTokens());
  }

  private static Sequence sequence(Random random, EngineProfile profile, List<String> tokens) {
    int room = profile.maxModelTokens();
    int prompt = 1 + random.nextInt(Math.min(room - 1, 40));
    int output = 1 + random.nextInt(Math.min(room - prompt, 20));
    long family = 1_000L * random.nextInt(3);
    String id = "any";
    return EngineFixture.sequence(
        id,
        family,
        prompt,
        output,
        new SequenceListener() {
          @Override
          public void onToken(int index, long timeUs) {
            tokens.add(id + index);
          }
        });
  }
}
