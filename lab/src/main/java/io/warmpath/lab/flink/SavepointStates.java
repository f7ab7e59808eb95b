package io.warmpath.lab.flink;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorBackendSerializationProxy;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/** Reads which states a canonical savepoint holds, and how they were serialized; no value. */
public final class SavepointStates {

  private final ClassLoader classes;
  private final Map<OperatorID, OperatorStates> operators = new LinkedHashMap<>();

  private SavepointStates(ClassLoader classes) {
    this.classes = classes;
  }

  /**
   * Reads a savepoint.
   *
   * @param location its folder, on a file system that this process reaches
   * @param classes knows the serializers
   * @throws IOException if the savepoint cannot be reached or is none; one operator's states that
   *     cannot be read are no reason
   */
  public static Map<OperatorID, OperatorStates> read(String location, ClassLoader classes)
      throws IOException {
    CompletedCheckpointStorageLocation found =
        AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(location);
    CheckpointMetadata metadata;
    try (DataInputStream in = new DataInputStream(found.getMetadataHandle().openInputStream())) {
      metadata = Checkpoints.loadCheckpointMetadata(in, classes, location);
    }
    SavepointStates reader = new SavepointStates(classes);
    for (OperatorState operator : metadata.getOperatorStates()) {
      if (operator.hasSubtaskStates() || operator.getCoordinatorState() != null) {
        reader.operator(operator);
      }
    }
    return reader.operators;
  }

  private void operator(OperatorState operator) {
    String label =
        operator
            .getOperatorUid()
            .filter(uid -> !uid.isEmpty())
            .or(operator::getOperatorName)
            .orElse(operator.getOperatorID().toHexString());
    OperatorStates states = new OperatorStates(label);
    try {
      for (OperatorSubtaskState subtask : operator.getStates()) {
        subtask(subtask, states);
      }
    } catch (IOException e) {
      states = states.withUnreadable(rootMessage(e));
    }
    operators.put(operator.getOperatorID(), states);
  }

  private void subtask(OperatorSubtaskState subtask, OperatorStates into) throws IOException {
    for (KeyedStateHandle handle : subtask.getManagedKeyedState()) {
      if (handle instanceof KeyGroupsStateHandle groups) {
        try (InputStream in = groups.openInputStream()) {
          KeyedBackendSerializationProxy<?> proxy = new KeyedBackendSerializationProxy<>(classes);
          proxy.read(new DataInputViewStreamWrapper(in));
          proxy.getStateMetaInfoSnapshots().forEach(state -> add(state, into));
          into.states().put(OperatorStates.KEY, Map.of("key", proxy.getKeySerializerSnapshot()));
        }
      }
    }
    for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
      try (InputStream in = handle.openInputStream()) {
        OperatorBackendSerializationProxy proxy = new OperatorBackendSerializationProxy(classes);
        proxy.read(new DataInputViewStreamWrapper(in));
        List<StateMetaInfoSnapshot> all =
            new ArrayList<>(proxy.getOperatorStateMetaInfoSnapshots());
        all.addAll(proxy.getBroadcastStateMetaInfoSnapshots());
        all.forEach(state -> add(state, into));
      }
    }
  }

  private static void add(StateMetaInfoSnapshot state, OperatorStates into) {
    into.states().put(state.getName(), state.getSerializerSnapshotsImmutable());
  }

  private static String rootMessage(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return Optional.ofNullable(root.getMessage()).orElse(root.toString());
  }
}
