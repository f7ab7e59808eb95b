package io.warmpath.replica.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.routing.prompt.QuadTokenizer;
import io.warmpath.routing.prompt.TokenBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class AnswerTest {

  @Property
  void textGivesTheSameTokensAgain(@ForAll long seed, @ForAll @IntRange(min = 1, max = 300) int n) {
    Answer answer = Answer.of(seed, n);
    assertEquals(n, answer.tokens().length);
    TokenBuffer again = new TokenBuffer();
    new QuadTokenizer().encode(String.join("", answer.pieces()), again);
    assertArrayEquals(answer.tokens(), again.toArray());
  }

  @Property
  void textNeedsNoEscapes(@ForAll long seed) {
    assertTrue(String.join("", Answer.of(seed, 200).pieces()).matches("[a-z .]+"));
  }

  @Property
  void seedDecides(@ForAll long seed) {
    String[] hundred = Answer.of(seed, 100).pieces();
    assertArrayEquals(hundred, Arrays.copyOf(Answer.of(seed, 150).pieces(), 100));
    assertNotEquals(String.join("", hundred), String.join("", Answer.of(seed + 1, 100).pieces()));
  }
}
