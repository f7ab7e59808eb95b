package io.warmpath.balancer.proxy;

import org.junit.jupiter.api.Test;

/** As fast as it goes; {@link ManyStreamsIT} is the one at a reader's pace. */
class ManyStreamsTest {

  @Test
  void allComplete() throws Exception {
    ManyStreams.run(20, () -> {});
  }
}
