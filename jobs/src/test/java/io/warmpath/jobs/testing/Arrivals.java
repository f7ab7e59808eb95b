package io.warmpath.jobs.testing;

import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.source.RecordReader;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.request.RequestEvent;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * Makes records as they come from a topic, each at the next offset of its partition.
 *
 * @param <T> the records
 */
public final class Arrivals<T extends WarmpathRecord> {

  /** Whole request events, where the jobs read only some of them. */
  public static final JsonForm<RequestEvent> REQUESTS =
      new JsonForm<>(RecordKind.REQUEST_EVENT, event -> event.context().eventTimeMs());

  private final String topic;
  private final JsonForm<T> form;
  private final RecordReader<T> reader;
  private final Map<Integer, Long> offsets = new HashMap<>();

  public Arrivals(String topic, JsonForm<T> form) {
    this.topic = topic;
    this.form = form;
    this.reader = new RecordReader<>(form);
  }

  /** A record that was written at its own time. */
  public Parsed<T> onTime(int partition, T value) {
    return written(partition, form.time().eventTimeMs(value), value);
  }

  /** A record that was written at the given time. */
  public Parsed<T> written(int partition, long writtenMs, T value) {
    Inbound<T> inbound = bytes(partition, writtenMs, form.kind().codec().encode(value));
    return (Parsed<T>) inbound;
  }

  /** Whatever a record's bytes are read as. */
  public Inbound<T> bytes(int partition, long writtenMs, byte[] value) {
    long offset = offsets.merge(partition, 1L, Long::sum) - 1;
    return reader.read(
        new ConsumerRecord<>(
            topic,
            partition,
            offset,
            writtenMs,
            TimestampType.CREATE_TIME,
            3,
            value == null ? -1 : value.length,
            "key".getBytes(StandardCharsets.UTF_8),
            value,
            new RecordHeaders(),
            Optional.empty()));
  }
}
