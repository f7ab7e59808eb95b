package io.warmpath.jobs.source;

import io.warmpath.jobs.source.Inbound.Parsed;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.WatermarkAlignmentParams;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.util.clock.RelativeClock;

/**
 * Times and watermarks of a topic: bounded disorder per partition, and a partition that falls quiet
 * holds nobody up. Refused records have no time, so they neither move a watermark nor keep a
 * partition from being idle.
 *
 * @param <T> the records of the topic
 */
public final class EventTimes<T> implements WatermarkStrategy<Inbound<T>> {

  private static final long serialVersionUID = 1L;

  /**
   * How often sources of a group tell each other how far they are. Within it none reads further
   * than the drift, so in a second, Flink's default, 30 s of events at most: a catch-up would have
   * that limit and no processor would be busy.
   */
  private static final Duration ALIGNED_EVERY = Duration.ofMillis(200);

  private final WatermarkStrategy<Inbound<T>> ofParsed;
  private final Duration idleness;

  /** Shared by all partitions that a subtask reads. */
  private transient Pace pace;

  private EventTimes(WatermarkStrategy<Inbound<T>> ofParsed, Duration idleness) {
    this.ofParsed = ofParsed;
    this.idleness = idleness;
  }

  /**
   * The strategy with disorder up to {@code bound}, where a partition is idle after {@code
   * idleness} of silence; after {@link Pace#PATIENCE} while the subtask catches up, as it reads
   * some partitions minutes ahead then before it comes to others.
   */
  public static <T> EventTimes<T> of(Duration bound, Duration idleness) {
    return new EventTimes<>(WatermarkStrategy.forBoundedOutOfOrderness(bound), idleness);
  }

  /**
   * The same, where no partition is read further than {@code drift} ahead of the slowest of the
   * group: what runs ahead has to be held in state.
   */
  public EventTimes<T> alignedIn(String group, Duration drift) {
    return new EventTimes<>(ofParsed.withWatermarkAlignment(group, drift, ALIGNED_EVERY), idleness);
  }

  @Override
  public TimestampAssigner<Inbound<T>> createTimestampAssigner(
      TimestampAssignerSupplier.Context context) {
    return (inbound, recordTimeMs) ->
        inbound instanceof Parsed<T> parsed ? parsed.eventTimeMs() : recordTimeMs;
  }

  @Override
  public WatermarkGenerator<Inbound<T>> createWatermarkGenerator(
      WatermarkGeneratorSupplier.Context context) {
    WatermarkGenerator<Inbound<T>> generator = ofParsed.createWatermarkGenerator(context);
    RelativeClock clock = context.getInputActivityClock();
    if (pace == null) {
      pace = new Pace(clock);
    }
    return new WatermarkGenerator<>() {

      private boolean heard;
      private long heardNanos = clock.relativeTimeNanos();

      @Override
      public void onEvent(Inbound<T> event, long timeMs, WatermarkOutput output) {
        if (event instanceof Parsed<T>) {
          heard = true;
          pace.reached(timeMs);
          generator.onEvent(event, timeMs, output);
        }
      }

      @Override
      public void onPeriodicEmit(WatermarkOutput output) {
        // The clock is asked here, as it costs too much for each event.
        long nowNanos = clock.relativeTimeNanos();
        heardNanos = heard ? nowNanos : heardNanos;
        heard = false;
        if (nowNanos - heardNanos > pace.patience(idleness).toNanos()) {
          output.markIdle();
        } else {
          generator.onPeriodicEmit(output);
        }
      }
    };
  }

  @Override
  public WatermarkAlignmentParams getAlignmentParameters() {
    return ofParsed.getAlignmentParameters();
  }
}
