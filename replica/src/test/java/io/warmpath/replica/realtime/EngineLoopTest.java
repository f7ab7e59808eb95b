package io.warmpath.replica.realtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.replica.engine.BatchEngine;
import io.warmpath.replica.engine.CacheListener;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.engine.KvCache;
import io.warmpath.replica.engine.Sequence;
import io.warmpath.replica.engine.SequenceListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineLoopTest {

  private static final EngineProfile PROFILE =
      new EngineProfile(
          "test",
          "made up",
          100,
          0,
          0,
          0,
          0,
          50,
          8,
          4,
          100,
          4,
          new EngineProfile.Gpu("none", 1, 1));

  private final BatchEngine engine =
      new BatchEngine(PROFILE, KvCache.of(PROFILE, CacheListener.NONE));
  private final List<Long> tokenTimes = new ArrayList<>();
  private int steps;
  private final EngineLoop loop = new EngineLoop(engine, () -> steps++);

  @Test
  void idleEngineIsNeverDue() {
    assertEquals(BatchEngine.NEVER, loop.advance(1_000_000));
  }

  @Test
  void firstStepStartsWhenTheSequenceIsReady() {
    submit(3, 1_000);
    assertEquals(1_050, loop.advance(1_000));
    assertEquals(1_150, loop.advance(1_050));
  }

  @Test
  void lateCallsDoNotDelayTheTimeline() {
    submit(5, 0);
    loop.advance(57);
    loop.advance(199);
    loop.advance(380);
    assertEquals(List.of(150L, 250L, 350L), tokenTimes);
    assertEquals(3, steps);
  }

  @Test
  void longStandstillIsNotMadeUpFor() {
    submit(100, 0);
    loop.advance(50);
    long late = 2 * EngineLoop.MAX_LAG_US;
    assertEquals(late + 100, loop.advance(late));
    assertEquals(List.of(150L), tokenTimes);
  }

  @Test
  void engineThatWasIdleStartsAfresh() {
    submit(1, 0);
    loop.advance(1_000);
    submit(1, 900_000);
    assertEquals(900_050, loop.advance(900_000));
    loop.advance(1_000_000);
    assertEquals(List.of(150L, 900_150L), tokenTimes);
  }

  private void submit(int outputTokens, long nowUs) {
    SequenceListener listener =
        new SequenceListener() {
          @Override
          public void onToken(int index, long timeUs) {
            tokenTimes.add(timeUs);
          }
        };
    engine.submit(new Sequence("one", new long[0], 4, outputTokens, listener), nowUs);
  }
}
