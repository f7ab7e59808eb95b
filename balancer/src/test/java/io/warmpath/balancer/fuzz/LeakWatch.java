package io.warmpath.balancer.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.LogLines;
import java.util.Arrays;
import java.util.List;
import org.apache.logging.log4j.Level;

/**
 * Follows every buffer of Netty's while it is open, and what is logged as a warning or worse. A
 * buffer that was lost is reported only after it was collected as garbage; one that is lost on
 * purpose shows when that has happened.
 */
public final class LeakWatch implements AutoCloseable {

  private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
  private final LogLines log = new LogLines(Level.WARN);

  public LeakWatch() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  /** Everything that was logged as a warning or worse, leaks among it. */
  public List<String> complaints() {
    String onPurpose = "lost on purpose, " + System.nanoTime();
    loseOne(onPurpose);
    Eventually.until(
        "what was lost is reported",
        () -> {
          collect();
          return log.text().contains(onPurpose);
        });
    // What was lost before may be reported just after.
    collect();
    return Arrays.stream(log.text().split("(?m)^(?=(WARN|ERROR|FATAL) )"))
        .filter(entry -> !entry.isBlank() && !entry.contains(onPurpose))
        .toList();
  }

  private static void loseOne(String hint) {
    ByteBuf lost = PooledByteBufAllocator.DEFAULT.directBuffer(16);
    lost.touch(hint);
  }

  private static void collect() {
    System.gc();
    // Netty looks for what was collected when it gives out the next buffer.
    PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
  }

  @Override
  public void close() {
    ResourceLeakDetector.setLevel(before);
    log.close();
  }
}
