package io.warmpath.jobs.weights;

import io.warmpath.jobs.types.ImmutableSerializer;
import io.warmpath.routing.control.ControlState;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The control law's state in its own, versioned form. */
public final class ControlStateSerializer extends ImmutableSerializer<ControlState> {

  private static final long serialVersionUID = 1L;

  @Override
  public void serialize(ControlState state, DataOutputView target) throws IOException {
    state.writeTo(target);
  }

  @Override
  public ControlState deserialize(DataInputView source) throws IOException {
    return ControlState.readFrom(source);
  }

  @Override
  public TypeSerializerSnapshot<ControlState> snapshotConfiguration() {
    return new Snapshot();
  }

  /** The serializer has nothing to remember but its class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<ControlState> {
    public Snapshot() {
      super(ControlStateSerializer::new);
    }
  }
}
