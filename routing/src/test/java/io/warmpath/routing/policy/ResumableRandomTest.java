package io.warmpath.routing.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ResumableRandomTest {

  @Property(tries = 200)
  void drawsWhatJavasOwnGeneratorDraws(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE) int bound) {
    Random expected = new Random(seed);
    Random random = new ResumableRandom(seed);
    for (int i = 0; i < 20; i++) {
      assertEquals(expected.nextInt(bound), random.nextInt(bound));
      assertEquals(expected.nextInt(), random.nextInt());
      assertEquals(expected.nextLong(), random.nextLong());
      assertEquals(expected.nextDouble(), random.nextDouble());
      assertEquals(expected.nextBoolean(), random.nextBoolean());
    }
  }

  @Property(tries = 200)
  void goesOnWhereAnotherStood(
      @ForAll long seed, @ForAll long otherSeed, @ForAll @IntRange(max = 50) int draws) {
    ResumableRandom first = new ResumableRandom(seed);
    for (int i = 0; i < draws; i++) {
      first.nextInt(8);
    }
    ResumableRandom second = new ResumableRandom(otherSeed);
    second.resume(first.state());
    for (int i = 0; i < 20; i++) {
      assertEquals(first.nextInt(8), second.nextInt(8));
      assertEquals(first.state(), second.state());
    }
  }

  /** What savepoints hold of {@code random} and {@code power_of_two}. */
  @Test
  void theStatesAreTheGoldenOnes() {
    ResumableRandom random = new ResumableRandom(42);
    assertEquals(0x5DEECE647L, random.state());
    assertEquals(0, random.nextInt(10));
    assertEquals(3, random.nextInt(10));
    assertEquals(8, random.nextInt(10));
    assertEquals(192_310_312_797_552L, random.state());
  }
}
