package io.warmpath.replica.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the engine gives for a prompt alone, beside the formula that was published for it. */
class PublishedPointsTest {

  /** Published figures stand in the profiles rounded to four digits and more. */
  private static final double TOLERANCE = 1e-3;

  @ParameterizedTest
  @CsvSource({
    // inference-sim's coefficients, unrounded: b0, b1, nothing squared.
    "llama-3.1-8b-h100, 5752.705191348184, 17.25086436834028, 0",
    "llama-3.1-8b-a100, 16441.531547147923, 47.837412108198656, 0",
    "llama-3.3-70b-4xh100, 12601.271149123822, 76.42284100369776, 0",
    "llama-3.3-70b-8xh100, 14140.825207623911, 10.025593497696502, 0",
    // DistServe's, in µs.
    "opt-13b-a100, 16457, 92.648, 6.4748e-3"
  })
  void timeToFirstTokenFollowsThePublishedFormula(
      String name, double fixedUs, double perTokenUs, double perSquaredTokenUs) {
    EngineProfile profile = EngineProfile.load(name);
    for (int tokens = 16; tokens <= 4 * profile.tokenBudget(); tokens += tokens / 4) {
      double expectedUs = profile.requestOverheadUs();
      // A prompt above the budget goes in chunks, each with the fixed time of a step.
      expectedUs += fixedUs * Math.ceil((double) tokens / profile.tokenBudget());
      expectedUs += perTokenUs * tokens + perSquaredTokenUs * tokens * tokens;
      assertEquals(
          expectedUs, ttftUs(profile, tokens), TOLERANCE * expectedUs, name + " at " + tokens);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "llama-3.1-8b-h100, 5752.705191348184, 5.999143920128404",
    "llama-3.1-8b-a100, 16441.531547147923, 18.20560632171683",
    "llama-3.3-70b-4xh100, 12601.271149123822, 66.84396200500741",
    "llama-3.3-70b-8xh100, 14140.825207623911, 19.401640879612657"
  })
  void timeBetweenTokensFollowsThePublishedFormula(
      String name, double fixedUs, double perSequenceUs) {
    EngineFixture fixture = new EngineFixture(EngineProfile.load(name));
    for (int i = 0; i < 100; i++) {
      fixture.submit(EngineFixture.sequence("any", 1_000L * i, 16, 8));
    }
    fixture.step();
    long firstUs = fixture.nowUs;
    fixture.step();
    double expectedUs = fixedUs + 100 * perSequenceUs;
    assertEquals(expectedUs, fixture.nowUs - firstUs, TOLERANCE * expectedUs);
  }

  private static long ttftUs(EngineProfile profile, int promptTokens) {
    EngineFixture fixture = new EngineFixture(profile);
    Sequence sequence = EngineFixture.sequence("one", 0, promptTokens, 1);
    fixture.submit(sequence);
    fixture.runUntilIdle();
    assertTrue(sequence.state() == Sequence.State.FINISHED);
    return fixture.nowUs;
  }
}
