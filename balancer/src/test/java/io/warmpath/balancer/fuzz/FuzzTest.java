package io.warmpath.balancer.fuzz;

import org.junit.jupiter.api.Test;

/** A short run; {@link FuzzIT} is the long one. */
class FuzzTest {

  @Test
  void survivesWhatIsWrong() throws Exception {
    Fuzz.run(3_000);
  }
}
