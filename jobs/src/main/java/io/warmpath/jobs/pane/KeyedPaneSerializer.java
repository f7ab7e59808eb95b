package io.warmpath.jobs.pane;

import io.warmpath.jobs.types.ImmutableSerializer;
import io.warmpath.jobs.types.ValueTypeInfo;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Panes between operators. They belong to their receiver, so none is copied. */
public final class KeyedPaneSerializer extends ImmutableSerializer<KeyedPane> {

  private static final long serialVersionUID = 1L;

  /** How Flink ships panes. */
  public static final ValueTypeInfo<KeyedPane> TYPE =
      new ValueTypeInfo<>(KeyedPane.class, new KeyedPaneSerializer());

  private final PaneSerializer panes = new PaneSerializer();

  @Override
  public void serialize(KeyedPane keyed, DataOutputView target) throws IOException {
    target.writeUTF(keyed.key().model());
    target.writeUTF(keyed.key().policy());
    target.writeUTF(keyed.key().replica());
    target.writeLong(keyed.startMs());
    panes.serialize(keyed.pane(), target);
  }

  @Override
  public KeyedPane deserialize(DataInputView source) throws IOException {
    PaneKey key = new PaneKey(source.readUTF(), source.readUTF(), source.readUTF());
    return new KeyedPane(key, source.readLong(), panes.deserialize(source));
  }

  @Override
  public TypeSerializerSnapshot<KeyedPane> snapshotConfiguration() {
    return new Snapshot();
  }

  /** The serializer has nothing to remember but its class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<KeyedPane> {
    public Snapshot() {
      super(KeyedPaneSerializer::new);
    }
  }
}
