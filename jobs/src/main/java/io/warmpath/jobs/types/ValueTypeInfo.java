package io.warmpath.jobs.types;

import io.warmpath.schemas.WarmpathRecord;
import java.util.Objects;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * A type that Flink takes as one opaque value, with a serializer of ours.
 *
 * @param <T> the type
 */
public final class ValueTypeInfo<T> extends TypeInformation<T> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final TypeSerializer<T> serializer;

  public ValueTypeInfo(Class<T> type, TypeSerializer<T> serializer) {
    this.type = type;
    this.serializer = serializer;
  }

  /** The type of a kind of record. */
  public static <T extends WarmpathRecord> ValueTypeInfo<T> of(RecordKind<T> kind) {
    return new ValueTypeInfo<>(kind.codec().type(), new JsonSerializer<>(kind));
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return serializer.duplicate();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof ValueTypeInfo<?>;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueTypeInfo<?> info
        && info.type == type
        && info.serializer.equals(serializer);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, serializer);
  }

  @Override
  public String toString() {
    return type.getSimpleName();
  }
}
