package io.warmpath.jobs.sink;

import io.warmpath.jobs.combine.DroppedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log that events came too late to count, and where one of them lies: at most one line
 * in {@link #EVERY} from each subtask, however many there are. How many there are, rows and metrics
 * say.
 */
public final class DroppedLog implements Sink<DroppedEvent> {

  private static final long serialVersionUID = 1L;

  private static final Logger LOG = LoggerFactory.getLogger(DroppedLog.class);

  /** Between two lines. */
  static final Duration EVERY = Duration.ofMinutes(1);

  @Override
  public SinkWriter<DroppedEvent> createWriter(WriterInitContext context) {
    return new Writer(context.getProcessingTimeService()::getCurrentProcessingTime, LOG::warn);
  }

  /** What one subtask says. */
  static final class Writer implements SinkWriter<DroppedEvent> {

    private static final long NEVER = Long.MIN_VALUE;

    private final LongSupplier clockMs;
    private final Consumer<String> lines;
    private long saidMs = NEVER;
    private long unsaid;

    Writer(LongSupplier clockMs, Consumer<String> lines) {
      this.clockMs = clockMs;
      this.lines = lines;
    }

    @Override
    public void write(DroppedEvent event, Context context) {
      unsaid++;
      long nowMs = clockMs.getAsLong();
      if (saidMs == NEVER || nowMs - saidMs >= EVERY.toMillis()) {
        lines.accept(line(event));
        saidMs = nowMs;
        unsaid = 0;
      }
    }

    private String line(DroppedEvent event) {
      return "%d event(s) too late to count; the last is at %s-%d offset %d, of %s, %d ms behind"
          .formatted(
              unsaid,
              event.topic(),
              event.partition(),
              event.offset(),
              Instant.ofEpochMilli(event.eventTimeMs()),
              event.behindMs());
    }

    @Override
    public void flush(boolean endOfInput) {
      // A checkpoint is no reason to say more.
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
