package io.warmpath.balancer.fuzz;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run of minutes. */
@Tag("faults")
class FuzzIT {

  @Test
  void survivesWhatIsWrong() throws Exception {
    Fuzz.run(100_000);
  }
}
