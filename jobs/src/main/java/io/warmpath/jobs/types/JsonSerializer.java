package io.warmpath.jobs.types;

import io.warmpath.schemas.WarmpathRecord;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Records in their wire form. State and channels so follow the records' own rules of evolution;
 * events are chained to their sources and never pass through here, rows are few.
 *
 * @param <T> the records
 */
public final class JsonSerializer<T extends WarmpathRecord> extends ImmutableSerializer<T> {

  private static final long serialVersionUID = 1L;

  private final RecordKind<T> kind;

  public JsonSerializer(RecordKind<T> kind) {
    this.kind = kind;
  }

  @Override
  public void serialize(T record, DataOutputView target) throws IOException {
    byte[] bytes = kind.codec().encode(record);
    target.writeInt(bytes.length);
    target.write(bytes);
  }

  @Override
  public T deserialize(DataInputView source) throws IOException {
    byte[] bytes = new byte[source.readInt()];
    source.readFully(bytes);
    return kind.codec().decode(bytes);
  }

  @Override
  public TypeSerializerSnapshot<T> snapshotConfiguration() {
    return new Snapshot<>(kind);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JsonSerializer<?> serializer && serializer.kind.equals(kind);
  }

  @Override
  public int hashCode() {
    return kind.hashCode();
  }

  /** Remembers the kind of record. Kinds of one schema name and version read each other. */
  public static final class Snapshot<T extends WarmpathRecord>
      implements TypeSerializerSnapshot<T> {

    private static final int VERSION = 1;

    private RecordKind<T> kind;

    /** For Flink, which reads the rest. */
    public Snapshot() {}

    private Snapshot(RecordKind<T> kind) {
      this.kind = kind;
    }

    @Override
    public int getCurrentVersion() {
      return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
      out.writeUTF(kind.schema());
    }

    @Override
    @SuppressWarnings("unchecked") // The schema's name stands for the type.
    public void readSnapshot(int version, DataInputView in, ClassLoader classLoader)
        throws IOException {
      kind = (RecordKind<T>) RecordKind.bySchema(in.readUTF());
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
      return new JsonSerializer<>(kind);
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
        TypeSerializerSnapshot<T> old) {
      return old instanceof Snapshot<T> snapshot && snapshot.kind.equals(kind)
          ? TypeSerializerSchemaCompatibility.compatibleAsIs()
          : TypeSerializerSchemaCompatibility.incompatible();
    }
  }
}
