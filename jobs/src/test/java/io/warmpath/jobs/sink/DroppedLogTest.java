package io.warmpath.jobs.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.jobs.combine.DroppedEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DroppedLogTest {

  private static final long T = 1_796_083_200_000L;
  private static final long EVERY_MS = DroppedLog.EVERY.toMillis();

  private final List<String> lines = new ArrayList<>();
  private long nowMs = T;
  private final DroppedLog.Writer writer = new DroppedLog.Writer(() -> nowMs, lines::add);

  @Test
  void saysWhereTheEventLiesAndHowLateItIs() {
    writer.write(new DroppedEvent("llm.requests", 3, 17, T, T + 70_000), null);
    assertEquals(
        List.of(
            "1 event(s) too late to count; the last is at llm.requests-3 offset 17, "
                + "of 2026-12-01T00:00:00Z, 70000 ms behind"),
        lines);
  }

  @Test
  void saysNoMoreThanOneLineAMinuteHoweverManyAreDropped() {
    for (int i = 0; i < 100_000; i++) {
      writer.write(dropped(i), null);
    }
    assertEquals(1, lines.size());
    nowMs += EVERY_MS - 1;
    writer.write(dropped(100_000), null);
    assertEquals(1, lines.size());

    nowMs++;
    writer.write(dropped(100_001), null);
    assertEquals(2, lines.size());
    // All since the first line.
    assertEquals("100001 event(s)", lines.get(1).substring(0, 15));
  }

  private static DroppedEvent dropped(long offset) {
    return new DroppedEvent("llm.requests", 0, offset, T, T + 70_000);
  }
}
