package io.warmpath.routing.loss;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.stats.LostTokens;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class PromptLossTest {

  @Property
  void thePartsAddUpToThePromptWhateverIsPutIn(
      @ForAll @LongRange(max = 300_000) long prompt,
      @ForAll @LongRange(min = -10, max = 400_000) long seen,
      @ForAll @LongRange(min = -10, max = 400_000) long best,
      @ForAll @LongRange(min = -10, max = 400_000) long bestAdmissible,
      @ForAll @LongRange(min = -10, max = 400_000) long chosen,
      @ForAll @LongRange(min = -10, max = 400_000) long delivered) {
    PromptLoss loss = PromptLoss.of(prompt, seen, best, bestAdmissible, chosen, delivered);
    LostTokens lost = loss.lost();
    assertEquals(
        prompt,
        loss.delivered()
            + lost.indexOver()
            - lost.indexUnder()
            + lost.routing()
            + lost.loadJustified()
            + lost.capacity()
            + lost.neverSeen());
    assertTrue(loss.avoidable() >= 0 && loss.avoidable() <= prompt);
  }

  @Property
  void nothingOverflows(@ForAll long a, @ForAll long b, @ForAll long c, @ForAll long d) {
    PromptLoss loss = PromptLoss.of(a, b, c, d, b, c);
    assertTrue(loss.prompt() >= 0);
  }

  @Test
  void eachTokenIsBlamedOnTheFirstThatLostIt() {
    PromptLoss loss = PromptLoss.of(1000, 900, 700, 600, 400, 350);
    assertEquals(new LostTokens(100, 200, 100, 200, 50, 0), loss.lost());
    assertEquals(250, loss.avoidable());
  }

  @Test
  void seenIsAtLeastTheBestThatIsHeldNow() {
    assertEquals(
        new LostTokens(300, 0, 0, 0, 0, 0), PromptLoss.of(1000, 0, 700, 700, 700, 700).lost());
  }

  @Test
  void moreThanPredictedIsIndexUnder() {
    PromptLoss loss = PromptLoss.of(1000, 0, 0, 0, 0, 160);
    assertEquals(new LostTokens(1000, 0, 0, 0, 0, 160), loss.lost());
    assertEquals(0, loss.avoidable());
  }
}
