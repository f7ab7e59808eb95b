package io.warmpath.lab.verify;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Writes a job's records to files, one for each subtask, so that a key's records stay in order. A
 * subtask that starts again begins its file anew.
 *
 * @param <T> the records
 */
final class RecordFileSink<T> implements Sink<T> {

  private static final long serialVersionUID = 1L;

  /** What a record is kept under. */
  interface KeyOf<T> extends Serializable {
    /** The key, or null if the record is not kept. */
    String key(T record);
  }

  /** A record in its wire form. */
  interface BytesOf<T> extends Serializable {
    /** The bytes that the topic would carry. */
    byte[] bytes(T record);
  }

  private final String folder;
  private final KeyOf<T> keyOf;
  private final BytesOf<T> bytesOf;

  RecordFileSink(Path folder, KeyOf<T> keyOf, BytesOf<T> bytesOf) {
    this.folder = folder.toString();
    this.keyOf = keyOf;
    this.bytesOf = bytesOf;
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) throws IOException {
    int subtask = context.getTaskInfo().getIndexOfThisSubtask();
    return new FileWriter(new RecordFile.Writer(Path.of(folder, "subtask-" + subtask)));
  }

  private final class FileWriter implements SinkWriter<T> {

    private final RecordFile.Writer file;

    private FileWriter(RecordFile.Writer file) {
      this.file = file;
    }

    @Override
    public void write(T record, Context context) throws IOException {
      String key = keyOf.key(record);
      if (key != null) {
        file.write(key, bytesOf.bytes(record));
      }
    }

    @Override
    public void flush(boolean endOfInput) throws IOException {
      file.flush();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
