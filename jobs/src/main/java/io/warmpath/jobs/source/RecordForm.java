package io.warmpath.jobs.source;

import java.io.Serializable;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * How the records of a topic are read and shipped.
 *
 * @param <T> what is made of a record
 */
public interface RecordForm<T> extends Serializable {

  /** A reader for one thread. */
  Reader<T> reader();

  /** How Flink ships what was read. */
  TypeSerializer<T> serializer();

  /** The time that a record says of itself, in epoch milliseconds. */
  long eventTimeMs(T value);

  /** Reads one record after the other. */
  interface Reader<T> {
    /**
     * @throws io.warmpath.schemas.codec.InvalidRecordException if the bytes are no record of the
     *     topic
     */
    T read(byte[] bytes);
  }
}
