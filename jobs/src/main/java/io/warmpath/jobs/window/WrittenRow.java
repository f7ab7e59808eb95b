package io.warmpath.jobs.window;

import io.warmpath.jobs.types.ImmutableSerializer;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.types.ValueTypeInfo;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A row in its wire form, with what it is ordered by. Rows are written once, where they are made,
 * and neither the way to their order nor the wait there reads them again: that would cost more than
 * making them.
 *
 * @param model model, whose rows are in order
 * @param place the place among them
 * @param provisional whether another row replaces it
 * @param json the row as the topic carries it
 */
public record WrittenRow(String model, RowPlace place, boolean provisional, byte[] json) {

  /** How Flink ships and keeps rows. */
  public static final ValueTypeInfo<WrittenRow> TYPE =
      new ValueTypeInfo<>(WrittenRow.class, new Serializer());

  /** Writes a row. */
  public static WrittenRow of(RoutingStats row) {
    return new WrittenRow(
        row.model(),
        RowPlace.of(row),
        row.provisional(),
        RecordKind.ROUTING_STATS.codec().encode(row));
  }

  /** The row itself. */
  public RoutingStats read() {
    return RecordKind.ROUTING_STATS.codec().decode(json);
  }

  /** The key of its record. */
  public String recordKey() {
    return RecordKeys.ofStats(
        model, place.policy(), place.replica(), place.sizeMs(), place.endMs());
  }

  /** What it is ordered by, before the bytes. */
  public static final class Serializer extends ImmutableSerializer<WrittenRow> {

    private static final long serialVersionUID = 1L;

    @Override
    public void serialize(WrittenRow row, DataOutputView target) throws IOException {
      target.writeUTF(row.model);
      target.writeLong(row.place.endMs());
      target.writeLong(row.place.sizeMs());
      target.writeUTF(row.place.policy());
      target.writeUTF(row.place.replica());
      target.writeBoolean(row.provisional);
      target.writeInt(row.json.length);
      target.write(row.json);
    }

    @Override
    public WrittenRow deserialize(DataInputView source) throws IOException {
      String model = source.readUTF();
      RowPlace place =
          new RowPlace(source.readLong(), source.readLong(), source.readUTF(), source.readUTF());
      boolean provisional = source.readBoolean();
      byte[] json = new byte[source.readInt()];
      source.readFully(json);
      return new WrittenRow(model, place, provisional, json);
    }

    @Override
    public TypeSerializerSnapshot<WrittenRow> snapshotConfiguration() {
      return new Snapshot();
    }
  }

  /** The serializer has nothing to remember but its class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<WrittenRow> {
    public Snapshot() {
      super(Serializer::new);
    }
  }
}
