package io.warmpath.replica.engine;

import static io.warmpath.replica.engine.EngineFixture.BLOCK_TOKENS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.routing.prefix.PrefixHasher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;

/**
 * Random traffic on the engine and on its slow twin: prompts that share prefixes, clients that
 * leave in any phase, caches emptied, memory so small that sequences are preempted. After each half
 * of each step both must hold the same blocks in the same order.
 */
class BatchEngineOracleTest {

  private static final int REQUESTS = 30;
  private static final long ROOT = PrefixHasher.root("", "");
  private static final PrefixHasher HASHER = new PrefixHasher(BLOCK_TOKENS);

  /** One request in both engines. */
  private record Pair(Sequence sequence, SlowEngine.Request slow) {}

  /** Both engines with what happened in them. */
  private static final class Twins {
    final Random random;
    final EngineProfile profile;
    final List<String> log = new ArrayList<>();
    final Map<Long, List<Integer>> prefixes = new HashMap<>();
    final List<Pair> all = new ArrayList<>();
    final List<List<Integer>> documents = new ArrayList<>();
    final KvCache cache;
    final BatchEngine engine;
    final SlowEngine slow;
    long nowUs;

    Twins(Random random) {
      this.random = random;
      profile =
          EngineFixture.profile(
              6 + random.nextInt(30), 1 + random.nextInt(40), 1 + random.nextInt(8));
      cache = KvCache.of(profile, logging());
      engine = new BatchEngine(profile, cache);
      slow = new SlowEngine(profile);
      for (int i = 0; i < 3; i++) {
        documents.add(tokens(40));
      }
    }

    /** What the engine says of hashes, said of the tokens behind them. */
    private CacheListener logging() {
      return new CacheListener() {
        @Override
        public void onStored(long hash) {
          log.add("+" + prefixes.get(hash));
        }

        @Override
        public void onRemoved(long hash) {
          log.add("-" + prefixes.get(hash));
        }

        @Override
        public void onCleared() {
          log.add("clear");
        }
      };
    }

    /** Two tokens only: prompts meet by chance, too. */
    private List<Integer> tokens(int count) {
      return random.ints(count, 0, 2).boxed().toList();
    }

    void submit() {
      int room = profile.maxModelTokens();
      int prompt = 1 + random.nextInt(Math.min(room - 1, 40));
      int output = 1 + random.nextInt(Math.min(room - prompt, 20));
      // Often all of it: equal prompts in chunks side by side make copies of blocks.
      int shared = random.nextBoolean() ? prompt : random.nextInt(prompt + 1);
      List<Integer> tokens = new ArrayList<>(documents.get(random.nextInt(3)).subList(0, shared));
      tokens.addAll(tokens(prompt + output - shared));
      SlowEngine.Request request = new SlowEngine.Request("r" + all.size(), tokens, prompt);
      int[] ids = tokens.stream().mapToInt(Integer::intValue).toArray();
      long[] hashes = HASHER.hash(ROOT, ids, 0, ids.length);
      List<List<Integer>> ends = request.prefixes(BLOCK_TOKENS);
      for (int i = 0; i < hashes.length; i++) {
        prefixes.put(hashes[i], ends.get(i));
      }
      Sequence sequence = new Sequence(request.name, hashes, prompt, output, SequenceListener.NONE);
      all.add(new Pair(sequence, request));
      engine.submit(sequence, nowUs);
      slow.waiting.add(request);
    }

    void interfere() {
      if (random.nextInt(12) == 0) {
        Pair pair = all.get(random.nextInt(all.size()));
        engine.abort(pair.sequence);
        slow.abort(pair.slow);
      }
      if (random.nextInt(80) == 0) {
        cache.clear();
        slow.cache.clear();
      }
    }

    void assertSame() {
      assertEquals(slow.cache.log, log);
      assertEquals(
          slow.cache.freeOrder(), Arrays.stream(cache.freeOrder()).boxed().toList(), "free list");
      assertEquals(slow.waiting.size(), engine.waiting());
      assertEquals(slow.running.size(), engine.running());
      assertEquals(slow.preempted.size(), engine.preemptions());
      assertEquals(slow.queriedTokens, engine.queriedTokens());
      assertEquals(slow.hitTokens, engine.hitTokens());
      for (Pair pair : all) {
        assertSame(pair);
      }
    }

    private void assertSame(Pair pair) {
      Sequence sequence = pair.sequence;
      SlowEngine.Request request = pair.slow;
      assertEquals(request.generated, sequence.generatedTokens(), request.name);
      assertEquals(request.cached != null, sequence.wasAdmitted(), request.name);
      if (request.cached != null) {
        assertEquals(request.cached, sequence.cachedTokens(), request.name);
        assertTrue(request.cached < request.prompt, request.name);
      }
      if (slow.running.contains(request)) {
        assertEquals(Sequence.State.RUNNING, sequence.state(), request.name);
        assertEquals(request.computed, sequence.computedTokens, request.name);
        assertEquals(request.scheduled, sequence.scheduledTokens, request.name);
      }
    }
  }

  @Property(tries = 400)
  void engineDoesWhatItsSlowTwinDoes(@ForAll long seed) {
    Twins twins = new Twins(new Random(seed));
    while (twins.all.size() < REQUESTS || !twins.engine.idle()) {
      if (twins.all.size() < REQUESTS && (twins.engine.idle() || twins.random.nextInt(3) == 0)) {
        twins.submit();
      }
      twins.nowUs = twins.engine.startStep(twins.nowUs);
      twins.slow.startStep();
      twins.assertSame();
      twins.interfere();
      twins.assertSame();
      twins.engine.finishStep();
      twins.slow.finishStep();
      twins.assertSame();
    }
    Statistics.label("hits").collect(twins.engine.hitTokens() > 0);
    Statistics.label("evictions").collect(twins.log.stream().anyMatch(e -> e.startsWith("-")));
    Statistics.label("preemptions").collect(twins.engine.preemptions() > 0);
  }
}
