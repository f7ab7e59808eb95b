package io.warmpath.jobs.source;

import io.warmpath.jobs.types.ImmutableSerializer;
import io.warmpath.jobs.types.JsonSerializer;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.types.ValueTypeInfo;
import io.warmpath.schemas.DeadLetter;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A refused record on its way to the dead letters.
 *
 * @param key key of the refused Kafka record, or null
 * @param letter where it lay and why it was refused
 */
public record Refusal(byte[] key, DeadLetter letter) {

  /** How Flink ships refusals. */
  public static final ValueTypeInfo<Refusal> TYPE =
      new ValueTypeInfo<>(Refusal.class, new Serializer());

  private static final int NO_KEY = -1;

  /** Key, then the letter's wire form. */
  public static final class Serializer extends ImmutableSerializer<Refusal> {

    private static final long serialVersionUID = 1L;

    private static final JsonSerializer<DeadLetter> LETTER =
        new JsonSerializer<>(RecordKind.DEAD_LETTER);

    @Override
    public void serialize(Refusal refusal, DataOutputView target) throws IOException {
      if (refusal.key == null) {
        target.writeInt(NO_KEY);
      } else {
        target.writeInt(refusal.key.length);
        target.write(refusal.key);
      }
      LETTER.serialize(refusal.letter, target);
    }

    @Override
    public Refusal deserialize(DataInputView source) throws IOException {
      int length = source.readInt();
      byte[] key = null;
      if (length != NO_KEY) {
        key = new byte[length];
        source.readFully(key);
      }
      return new Refusal(key, LETTER.deserialize(source));
    }

    @Override
    public TypeSerializerSnapshot<Refusal> snapshotConfiguration() {
      return new Snapshot();
    }
  }

  /** The serializer has nothing to remember but its class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Refusal> {
    public Snapshot() {
      super(Serializer::new);
    }
  }
}
