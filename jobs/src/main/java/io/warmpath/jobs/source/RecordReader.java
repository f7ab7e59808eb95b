package io.warmpath.jobs.source;

import io.warmpath.jobs.source.Inbound.Malformed;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.codec.InvalidRecordException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads the records of a topic. It never throws for what a record holds, as that would send the job
 * into a restart loop: what cannot be read goes on as {@link Malformed}.
 *
 * @param <T> what is made of a record
 */
public final class RecordReader<T> implements KafkaRecordDeserializationSchema<Inbound<T>> {

  private static final long serialVersionUID = 1L;

  /** An event further ahead of its Kafka record's timestamp takes that timestamp. */
  public static final long MAX_AHEAD_MS = 60_000;

  private final RecordForm<T> form;

  private transient RecordForm.Reader<T> reader;

  public RecordReader(RecordForm<T> form) {
    this.form = form;
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Inbound<T>> out) {
    out.collect(read(record));
  }

  /** What the record says, or why it says nothing. */
  public Inbound<T> read(ConsumerRecord<byte[], byte[]> record) {
    if (reader == null) {
      reader = form.reader();
    }
    try {
      T value = reader.read(record.value());
      return parsed(record, value, form.eventTimeMs(value));
    } catch (InvalidRecordException e) {
      return new Malformed<>(
          new Refusal(
              record.key(),
              DeadLetter.of(
                  record.topic(),
                  record.partition(),
                  record.offset(),
                  e.reason(),
                  e.getMessage(),
                  record.value())));
    }
  }

  private static <T> Inbound<T> parsed(
      ConsumerRecord<byte[], byte[]> record, T value, long ownTimeMs) {
    long recordTimeMs = Math.max(0, record.timestamp());
    boolean ahead = ownTimeMs - MAX_AHEAD_MS > recordTimeMs;
    return new Parsed<>(
        record.topic(),
        record.partition(),
        record.offset(),
        ahead ? recordTimeMs : ownTimeMs,
        ahead,
        value);
  }

  @Override
  public TypeInformation<Inbound<T>> getProducedType() {
    return InboundSerializer.typeOf(form);
  }
}
