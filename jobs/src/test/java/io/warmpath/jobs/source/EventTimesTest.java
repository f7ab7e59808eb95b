package io.warmpath.jobs.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.source.Inbound.Malformed;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.clock.ManualClock;
import org.apache.flink.util.clock.RelativeClock;
import org.junit.jupiter.api.Test;

class EventTimesTest {

  private static final long T = 1_796_083_200_000L;

  private final EventTimes<String> times =
      EventTimes.of(Duration.ofSeconds(2), Duration.ofSeconds(1));

  private static final Inbound<String> REFUSED =
      new Malformed<>(new Refusal(null, DeadLetter.of("t", 0, 0, Reason.EMPTY, "", null)));

  private static final class Seen implements WatermarkOutput {
    private long watermarkMs = Long.MIN_VALUE;
    private boolean idle;

    @Override
    public void emitWatermark(Watermark watermark) {
      watermarkMs = watermark.getTimestamp();
      idle = false;
    }

    @Override
    public void markIdle() {
      idle = true;
    }

    @Override
    public void markActive() {
      idle = false;
    }
  }

  private final ManualClock clock = new ManualClock();
  private final Seen seen = new Seen();
  private final WatermarkGenerator<Inbound<String>> generator =
      times.createWatermarkGenerator(context());

  private WatermarkGeneratorSupplier.Context context() {
    return new WatermarkGeneratorSupplier.Context() {
      @Override
      public MetricGroup getMetricGroup() {
        return new UnregisteredMetricsGroup();
      }

      @Override
      public RelativeClock getInputActivityClock() {
        return clock;
      }
    };
  }

  @Test
  void theWatermarkIsTheBoundBehindTheHighestTime() {
    read(at(T), T);
    read(at(T - 500), T);
    assertEquals(T - 2_000 - 1, seen.watermarkMs);
  }

  @Test
  void aQuietPartitionIsIdleUntilItSpeaksAgain() {
    readInStepWithTheClock(T);
    pass(Duration.ofMillis(1_001));
    assertTrue(seen.idle);

    read(at(T + 5_000), T);
    assertFalse(seen.idle);
  }

  @Test
  void aPartitionThatIsOnlyNotReadYetIsWaitedForLonger() {
    WatermarkGenerator<Inbound<String>> other = times.createWatermarkGenerator(context());
    for (int second = 0; second < 4; second++) {
      // A minute of the topic in a second.
      other.onEvent(at(T + second * 60_000), T + second * 60_000, new Seen());
      pass(Duration.ofSeconds(1));
      assertFalse(seen.idle);
    }
    pass(Duration.ofMillis(1_001));
    assertTrue(seen.idle);
  }

  @Test
  void aTopicWithoutEventsHoldsNobodyUpForLong() {
    pass(Duration.ofMillis(4_999));
    assertFalse(seen.idle);
    pass(Duration.ofMillis(2));
    assertTrue(seen.idle);
  }

  private void readInStepWithTheClock(long fromMs) {
    for (int i = 0; i <= 30; i++) {
      read(at(fromMs + i * 100), fromMs);
      clock.advanceTime(Duration.ofMillis(100));
    }
  }

  private void pass(Duration time) {
    clock.advanceTime(time);
    tick();
  }

  @Test
  void refusedRecordsNeitherMoveTimeNorKeepAPartitionAwake() {
    readInStepWithTheClock(T - 3_000);
    for (int i = 0; i < 30; i++) {
      clock.advanceTime(Duration.ofMillis(100));
      read(REFUSED, T + 3_600_000);
    }
    assertEquals(T - 2_000 - 1, seen.watermarkMs);
    assertTrue(seen.idle);
  }

  @Test
  void theTimeOfAnEventIsWhatItCountsAt() {
    assertEquals(T - 7, times.createTimestampAssigner(null).extractTimestamp(at(T - 7), T));
  }

  private void read(Inbound<String> inbound, long recordTimeMs) {
    generator.onEvent(
        inbound, times.createTimestampAssigner(null).extractTimestamp(inbound, recordTimeMs), seen);
    tick();
  }

  private void tick() {
    generator.onPeriodicEmit(seen);
  }

  private static Inbound<String> at(long timeMs) {
    return new Parsed<>("t", 0, 0, timeMs, false, "");
  }
}
