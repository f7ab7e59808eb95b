package io.warmpath.balancer.proxy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A minute of streams, five chunks a second on each. */
@Tag("faults")
class ManyStreamsIT {

  @Test
  void allComplete() throws Exception {
    ManyStreams.run(300, () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)));
  }
}
