package io.warmpath.replica.engine;

import static io.warmpath.replica.engine.EngineFixture.profile;
import static io.warmpath.replica.engine.EngineFixture.sequence;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchEngineTest {

  private final EngineFixture roomy = new EngineFixture(profile(100, 32, 8));

  @Test
  void stepTakesItsFixedTimeAndEachTokensShare() {
    Sequence one = sequence("one", 0, 10, 3);
    roomy.submit(one);
    assertEquals(100 + 10 * 10, roomy.engine.startStep(0));
    roomy.engine.finishStep();
    assertEquals(1, one.generatedTokens());
    assertEquals(200 + 100 + 1, roomy.engine.startStep(200));
    roomy.engine.finishStep();
    assertEquals(2, one.generatedTokens());
  }

  @Test
  void attentionGrowsWithContext() {
    EngineProfile flat = profile(100, 32, 8);
    EngineProfile profile =
        new EngineProfile("attention", "made up", 100, 0, 0, 2, 1, 0, 32, 8, 100, 4, flat.gpu());
    EngineFixture fixture = new EngineFixture(profile);
    fixture.submit(sequence("one", 0, 4, 3));
    assertEquals(100 + (1 + 2 + 3 + 4), fixture.engine.startStep(0));
    fixture.engine.finishStep();
    assertEquals(100 + 2 * 5, fixture.engine.startStep(0));
  }

  @Test
  void listenerHearsFirstTokenEveryTokenAndTheEnd() {
    List<String> heard = new ArrayList<>();
    roomy.submit(sequence("one", 0, 4, 2, recording("", heard)));
    roomy.runUntilIdle();
    assertEquals(List.of("first@140", "0@140", "1@241", "end@241"), heard);
  }

  @Test
  void longPromptIsComputedInChunksBesideDecodes() {
    EngineFixture fixture = new EngineFixture(profile(100, 10, 8));
    Sequence decoding = sequence("decoding", 0, 4, 20);
    Sequence longPrompt = sequence("long", 100, 25, 1);
    fixture.submit(decoding);
    fixture.step();
    fixture.submit(longPrompt);
    fixture.step();
    assertEquals(2, decoding.generatedTokens());
    assertEquals(9, longPrompt.computedTokens);
    fixture.step();
    fixture.step();
    assertEquals(4, decoding.generatedTokens());
    assertEquals(Sequence.State.FINISHED, longPrompt.state());
  }

  @Test
  void noMoreSequencesRunThanAllowed() {
    EngineFixture fixture = new EngineFixture(profile(100, 32, 2));
    fixture.submit(sequence("a", 0, 4, 3), sequence("b", 50, 4, 3), sequence("c", 100, 4, 3));
    fixture.step();
    assertEquals(2, fixture.engine.running());
    assertEquals(1, fixture.engine.waiting());
  }

  @Test
  void repeatedPromptIsComputedOnlyInItsLastBlock() {
    Sequence cold = sequence("cold", 0, 16, 1);
    Sequence warm = sequence("warm", 0, 16, 1);
    roomy.submit(cold);
    roomy.runUntilIdle();
    roomy.submit(warm);
    roomy.runUntilIdle();
    assertEquals(0, cold.cachedTokens());
    assertEquals(12, warm.cachedTokens());
  }

  @Test
  void answerBlocksAreReusedByTheNextTurn() {
    roomy.submit(sequence("turn 1", 0, 10, 7));
    roomy.runUntilIdle();
    Sequence next = sequence("turn 2", 0, 30, 1);
    roomy.submit(next);
    roomy.runUntilIdle();
    assertEquals(16, next.cachedTokens());
  }

  @Test
  void lastGeneratedTokenIsNotInTheCache() {
    roomy.submit(sequence("turn 1", 0, 10, 6));
    roomy.runUntilIdle();
    assertFalse(roomy.cache.contains(3));
    assertTrue(roomy.cache.contains(2));
  }

  @Test
  void promptsOfOneStepShareBlocks() {
    EngineFixture fixture = new EngineFixture(profile(100, 64, 8));
    Sequence first = sequence("first", 0, 16, 1);
    Sequence second = sequence("second", 0, 16, 1);
    fixture.submit(first, second);
    fixture.step();
    assertEquals(12, second.cachedTokens());
  }

  @Test
  void youngestSequenceIsPreemptedAndFinishesLater() {
    EngineFixture fixture = new EngineFixture(profile(6, 32, 8));
    Sequence old = sequence("old", 0, 8, 12);
    Sequence young = sequence("young", 100, 8, 12);
    fixture.submit(old, young);
    fixture.runUntilIdle();
    assertEquals(Sequence.State.FINISHED, old.state());
    assertEquals(Sequence.State.FINISHED, young.state());
    assertTrue(fixture.engine.preemptions() > 0);
  }

  @Test
  void whatAPreemptedSequenceFindsAgainIsNoHit() {
    EngineFixture fixture = new EngineFixture(profile(6, 32, 8));
    Sequence young = sequence("young", 100, 8, 12);
    fixture.submit(sequence("old", 0, 8, 12), young);
    fixture.runUntilIdle();
    assertEquals(0, young.cachedTokens());
    assertEquals(0, fixture.engine.hitTokens());
    assertEquals(16, fixture.engine.queriedTokens());
  }

  @Test
  void requestLargerThanTheCacheIsRefused() {
    Sequence tooLarge = sequence("too large", 0, 395, 6);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> roomy.submit(tooLarge));
    assertEquals(
        "a prompt of 395 tokens and an answer of 6 are 401 tokens; the KV cache holds 400",
        e.getMessage());
  }

  @Test
  void requestOverheadDelaysTheFirstStepOnly() {
    EngineProfile profile =
        new EngineProfile(
            "slow door", "made up", 100, 10, 1, 0, 0, 500, 32, 8, 100, 4, profile(1, 1, 1).gpu());
    EngineFixture fixture = new EngineFixture(profile);
    assertEquals(BatchEngine.NEVER, fixture.engine.nextStepUs(0));
    fixture.submit(sequence("one", 0, 4, 2));
    assertEquals(500, fixture.engine.nextStepUs(0));
    assertThrows(IllegalStateException.class, () -> fixture.engine.startStep(499));
    assertEquals(640, fixture.engine.startStep(500));
    fixture.engine.finishStep();
    assertEquals(640, fixture.engine.nextStepUs(640));
  }

  @Test
  void speedAppliesFromTheNextStep() {
    roomy.submit(sequence("one", 0, 10, 2));
    assertEquals(200, roomy.engine.startStep(0));
    roomy.engine.setSpeed(0.5);
    assertEquals(200, roomy.engine.stepEndUs());
    roomy.engine.finishStep();
    assertEquals(200 + 202, roomy.engine.startStep(200));
  }

  @Test
  void speedDriftsInAStraightLine() {
    roomy.engine.driftSpeed(0.5, 0, 1_000);
    roomy.submit(sequence("one", 0, 10, 3));
    assertEquals(200, roomy.engine.startStep(0));
    roomy.engine.finishStep();
    assertEquals(500 + Math.round(101 / 0.75), roomy.engine.startStep(500));
    roomy.engine.finishStep();
    assertEquals(2_000 + 202, roomy.engine.startStep(2_000));
  }

  @Test
  void newDriftBeginsAtTheSpeedThatTheOldOneReached() {
    roomy.engine.driftSpeed(0.5, 0, 1_000);
    roomy.engine.driftSpeed(1.75, 500, 1_500);
    roomy.submit(sequence("one", 0, 10, 1));
    assertEquals(1_000 + Math.round(200 / 1.25), roomy.engine.startStep(1_000));
  }

  @Test
  void stalledEngineStartsNoStep() {
    roomy.submit(sequence("one", 0, 10, 2));
    roomy.engine.startStep(0);
    roomy.engine.stallUntil(1_000);
    assertEquals(200, roomy.engine.stepEndUs());
    roomy.engine.finishStep();
    assertEquals(1_000, roomy.engine.nextStepUs(200));
    assertThrows(IllegalStateException.class, () -> roomy.engine.startStep(999));
    assertEquals(1_101, roomy.engine.startStep(1_000));
  }

  @Test
  void abortedSequenceGivesItsBlocksBackInEveryPhase() {
    Sequence waiting = sequence("waiting", 0, 8, 2);
    Sequence stepping = sequence("stepping", 50, 8, 2);
    roomy.submit(waiting);
    roomy.engine.abort(waiting);
    assertTrue(roomy.engine.idle());
    roomy.submit(stepping);
    roomy.engine.startStep(0);
    roomy.engine.abort(stepping);
    roomy.engine.finishStep();
    assertTrue(roomy.engine.idle());
    assertEquals(0, roomy.cache.usedBlocks());
    assertEquals(0, stepping.generatedTokens());
  }

  @Test
  void listenerMayAbortAndSubmit() {
    Sequence other = sequence("other", 50, 4, 5);
    Sequence later = sequence("later", 80, 4, 1);
    SequenceListener listener =
        new SequenceListener() {
          @Override
          public void onFinished(long timeUs) {
            roomy.engine.abort(other);
            roomy.engine.submit(later, timeUs);
          }
        };
    roomy.submit(other, sequence("one", 0, 4, 2, listener));
    roomy.runUntilIdle();
    assertEquals(Sequence.State.ABORTED, other.state());
    assertEquals(2, other.generatedTokens());
    assertEquals(Sequence.State.FINISHED, later.state());
    assertEquals(0, roomy.cache.usedBlocks());
  }

  @Test
  void emptiedCacheForgetsWhatRunningSequencesHold() {
    Sequence running = sequence("running", 0, 8, 9);
    roomy.submit(running);
    roomy.step();
    roomy.cache.clear();
    roomy.runUntilIdle();
    assertEquals(0, roomy.cache.cachedBlocks());
    assertEquals(List.of("+0", "+1", "clear"), roomy.cacheLog);
  }

  private static SequenceListener recording(String name, List<String> heard) {
    return new SequenceListener() {
      @Override
      public void onFirstToken(long timeUs) {
        heard.add(name + "first@" + timeUs);
      }

      @Override
      public void onToken(int index, long timeUs) {
        heard.add(name + index + "@" + timeUs);
      }

      @Override
      public void onFinished(long timeUs) {
        heard.add(name + "end@" + timeUs);
      }
    };
  }
}
