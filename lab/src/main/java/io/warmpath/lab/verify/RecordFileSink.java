package io.warmpath.lab.verify;

import io.warmpath.jobs.types.RecordKind;
import io.warmpath.schemas.WarmpathRecord;
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
final class RecordFileSink<T extends WarmpathRecord> implements Sink<T> {

  private static final long serialVersionUID = 1L;

  /** What a record is kept under. */
  interface KeyOf<T> extends Serializable {
    /** The key, or null if the record is not kept. */
    String key(T record);
  }

  private final String folder;
  private final RecordKind<T> kind;
  private final KeyOf<T> keyOf;

  RecordFileSink(Path folder, RecordKind<T> kind, KeyOf<T> keyOf) {
    this.folder = folder.toString();
    this.kind = kind;
    this.keyOf = keyOf;
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
        file.write(key, kind.codec().encode(record));
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
