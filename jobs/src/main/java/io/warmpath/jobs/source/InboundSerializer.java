package io.warmpath.jobs.source;

import io.warmpath.jobs.types.ImmutableSerializer;
import io.warmpath.jobs.types.ValueTypeInfo;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * What a source emits, for the rare case that it is not chained to its reader.
 *
 * @param <T> what is made of a record
 */
public final class InboundSerializer<T> extends ImmutableSerializer<Inbound<T>> {

  private static final long serialVersionUID = 1L;

  private static final Refusal.Serializer REFUSAL = new Refusal.Serializer();

  private final TypeSerializer<T> values;

  private InboundSerializer(TypeSerializer<T> values) {
    this.values = values;
  }

  /** The type of what a source emits whose records have the given form. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // A class object knows no type arguments.
  public static <T> TypeInformation<Inbound<T>> typeOf(RecordForm<T> form) {
    return new ValueTypeInfo<>(
        (Class<Inbound<T>>) (Class) Inbound.class, new InboundSerializer<>(form.serializer()));
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
    return new Snapshot<>(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof InboundSerializer<?> serializer && serializer.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** Remembers how the values are written. */
  public static final class Snapshot<T>
      extends CompositeTypeSerializerSnapshot<Inbound<T>, InboundSerializer<T>> {

    private static final int VERSION = 1;

    /** For Flink, which reads the rest. */
    public Snapshot() {}

    private Snapshot(InboundSerializer<T> serializer) {
      super(serializer);
    }

    @Override
    protected int getCurrentOuterSnapshotVersion() {
      return VERSION;
    }

    @Override
    protected TypeSerializer<?>[] getNestedSerializers(InboundSerializer<T> outer) {
      return new TypeSerializer<?>[] {outer.values};
    }

    @Override
    @SuppressWarnings("unchecked") // The nested serializer is the one that was given.
    protected InboundSerializer<T> createOuterSerializerWithNestedSerializers(
        TypeSerializer<?>[] nested) {
      return new InboundSerializer<>((TypeSerializer<T>) nested[0]);
    }
  }
}
