package io.warmpath.replica.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One sequence at a time, one step each, arrivals at random: that is the queue M/D/1, of which the
 * mean wait is known (Pollaczek and Khinchine): {@code rho · S / (2 · (1 − rho))}.
 */
class QueueingTheoryTest {

  private static final int ARRIVALS = 1_000_000;
  private static final int PROMPT_TOKENS = 90;

  /** 100 µs a step and 10 a token. */
  private static final double SERVICE_US = 100 + 10 * PROMPT_TOKENS;

  private static final double TOLERANCE = 0.02;

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.8})
  void meanWaitIsThatOfTheTheory(double load) {
    EngineFixture fixture = new EngineFixture(EngineFixture.profile(1_000, 2_048, 1));
    SplittableRandom random = new SplittableRandom(1);
    WaitSum waits = new WaitSum();
    double arrivalUs = 0;
    for (int i = 0; i < ARRIVALS; i++) {
      arrivalUs -= SERVICE_US / load * Math.log(1 - random.nextDouble());
      fixture.advanceTo(Math.round(arrivalUs));
      waits.submit(fixture, Math.round(arrivalUs));
    }
    fixture.runUntilIdle();
    double theoryUs = load * SERVICE_US / (2 * (1 - load));
    assertEquals(ARRIVALS, waits.count);
    assertEquals(theoryUs, (double) waits.sumUs / waits.count, TOLERANCE * theoryUs);
  }

  private static final class WaitSum {
    private static final long[] NOTHING_CACHED = {};
    long sumUs;
    int count;

    void submit(EngineFixture fixture, long arrivalUs) {
      SequenceListener listener =
          new SequenceListener() {
            @Override
            public void onFinished(long timeUs) {
              sumUs += timeUs - Math.round(SERVICE_US) - arrivalUs;
              count++;
            }
          };
      fixture.engine.submit(
          new Sequence("any", NOTHING_CACHED, PROMPT_TOKENS, 1, listener), arrivalUs);
    }
  }
}
