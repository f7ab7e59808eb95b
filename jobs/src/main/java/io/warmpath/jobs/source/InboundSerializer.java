package io.warmpath.jobs.source;

import io.warmpath.jobs.types.ImmutableSerializer;
import io.warmpath.jobs.types.JsonSerializer;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.types.ValueTypeInfo;
import io.warmpath.schemas.WarmpathRecord;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * What a source emits, for the rare case that it is not chained to its reader.
 *
 * @param <T> the records of the topic
 */
public final class InboundSerializer<T extends WarmpathRecord>
    extends ImmutableSerializer<Inbound<T>> {

  private static final long serialVersionUID = 1L;

  private static final Refusal.Serializer REFUSAL = new Refusal.Serializer();

  private final RecordKind<T> kind;
  private final JsonSerializer<T> values;

  private InboundSerializer(RecordKind<T> kind) {
    this.kind = kind;
    this.values = new JsonSerializer<>(kind);
  }

  /** The type of what a source of the given kind emits. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // A class object knows no type arguments.
  public static <T extends WarmpathRecord> TypeInformation<Inbound<T>> typeOf(RecordKind<T> kind) {
    return new ValueTypeInfo<>(
        (Class<Inbound<T>>) (Class) Inbound.class, new InboundSerializer<>(kind));
  }

  @Override
  public void serialize(Inbound<T> inbound, DataOutputView target) throws IOException {
    if (inbound instanceof Inbound.Parsed<T> parsed) {
      target.writeBoolean(true);
      target.writeUTF(parsed.topic());
      target.writeInt(parsed.partition());
      target.writeLong(parsed.offset());
      target.writeLong(parsed.eventTimeMs());
      target.writeBoolean(parsed.skewed());
      values.serialize(parsed.value(), target);
    } else if (inbound instanceof Inbound.Malformed<T> malformed) {
      target.writeBoolean(false);
      REFUSAL.serialize(malformed.refusal(), target);
    }
  }

  @Override
  public Inbound<T> deserialize(DataInputView source) throws IOException {
    if (source.readBoolean()) {
      return new Inbound.Parsed<>(
          source.readUTF(),
          source.readInt(),
          source.readLong(),
          source.readLong(),
          source.readBoolean(),
          values.deserialize(source));
    }
    return new Inbound.Malformed<>(REFUSAL.deserialize(source));
  }

  @Override
  public TypeSerializerSnapshot<Inbound<T>> snapshotConfiguration() {
    return new Snapshot<>(kind);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof InboundSerializer<?> serializer && serializer.kind.equals(kind);
  }

  @Override
  public int hashCode() {
    return kind.hashCode();
  }

  /** Remembers the kind of record. */
  public static final class Snapshot<T extends WarmpathRecord>
      implements TypeSerializerSnapshot<Inbound<T>> {

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
    public TypeSerializer<Inbound<T>> restoreSerializer() {
      return new InboundSerializer<>(kind);
    }

    @Override
    public TypeSerializerSchemaCompatibility<Inbound<T>> resolveSchemaCompatibility(
        TypeSerializerSnapshot<Inbound<T>> old) {
      return old instanceof Snapshot<T> snapshot && snapshot.kind.equals(kind)
          ? TypeSerializerSchemaCompatibility.compatibleAsIs()
          : TypeSerializerSchemaCompatibility.incompatible();
    }
  }
}
