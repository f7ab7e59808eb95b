package io.warmpath.lab.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.runtime.jobgraph.OperatorID;

/**
 * Whether a candidate takes over all state of a running job: an operator of the same uid for each
 * that has state, a state of the same name for each state, a serializer that reads what was
 * written. Flink itself is content with a state that nobody asks for any more; here that is state
 * lost.
 */
public final class StateComparison {

  private static final String VALUE = "VALUE_SERIALIZER";

  private final List<Incompatibility> incompatible = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();

  private StateComparison() {}

  /**
   * Compares.
   *
   * @param running states of the running job
   * @param candidate states that the candidate asks for
   */
  public static StateComparison between(
      Map<OperatorID, OperatorStates> running, Map<OperatorID, OperatorStates> candidate) {
    StateComparison comparison = new StateComparison();
    running.forEach((id, states) -> comparison.operator(states, candidate.get(id)));
    candidate.forEach(
        (id, states) -> {
          if (!running.containsKey(id)) {
            comparison.changes.add("operator " + states.label() + " is new");
          }
        });
    return comparison;
  }

  /** What the candidate cannot take over. */
  public List<Incompatibility> incompatible() {
    return List.copyOf(incompatible);
  }

  /** What changes and does no harm: states that are new or migrated. */
  public List<String> changes() {
    return List.copyOf(changes);
  }

  private void operator(OperatorStates old, OperatorStates candidate) {
    if (candidate == null) {
      incompatible.add(
          new Incompatibility(
              old.label(), null, "it has state, and the candidate has no operator of that uid"));
      return;
    }
    if (old.unreadable() != null) {
      incompatible.add(
          new Incompatibility(
              old.label(), null, "the candidate cannot read its state: " + old.unreadable()));
      return;
    }
    old.states()
        .forEach((name, serializers) -> state(old.label(), name, serializers, candidate.states()));
    candidate.states().keySet().stream()
        .filter(name -> !old.states().containsKey(name))
        .forEach(name -> changes.add("state " + name + " of " + old.label() + " is new"));
  }

  private void state(
      String operator,
      String name,
      Map<String, TypeSerializerSnapshot<?>> old,
      Map<String, Map<String, TypeSerializerSnapshot<?>>> candidate) {
    Map<String, TypeSerializerSnapshot<?>> renewed = candidate.get(name);
    if (renewed == null) {
      incompatible.add(
          new Incompatibility(
              operator, name, "the candidate's operator has no state of that name"));
      return;
    }
    old.forEach(
        (part, snapshot) -> {
          TypeSerializerSnapshot<?> other = renewed.get(part);
          if (other != null) {
            serializer(operator, name, part, snapshot, other);
          }
        });
  }

  private void serializer(
      String operator,
      String state,
      String part,
      TypeSerializerSnapshot<?> old,
      TypeSerializerSnapshot<?> renewed) {
    TypeSerializerSchemaCompatibility<?> compatibility;
    try {
      compatibility = resolve(renewed, old);
    } catch (RuntimeException e) {
      incompatible.add(new Incompatibility(operator, state, "its serializer: " + e.getMessage()));
      return;
    }
    if (compatibility.isIncompatible()) {
      incompatible.add(
          new Incompatibility(
              operator,
              state,
              "the candidate's %s does not read what the running job's %s wrote"
                  .formatted(name(renewed), name(old))));
    } else if (compatibility.isCompatibleAfterMigration()) {
      if (part.equals(VALUE)) {
        changes.add("state " + state + " of " + operator + " is migrated by " + name(renewed));
      } else {
        incompatible.add(
            new Incompatibility(
                operator,
                state,
                "its keys would have to be migrated by %s, which Flink does not do"
                    .formatted(name(renewed))));
      }
    }
  }

  @SuppressWarnings("unchecked") // Snapshots of one state; a wrong type is told as incompatible.
  private static <T> TypeSerializerSchemaCompatibility<T> resolve(
      TypeSerializerSnapshot<?> renewed, TypeSerializerSnapshot<?> old) {
    return ((TypeSerializerSnapshot<T>) renewed)
        .resolveSchemaCompatibility((TypeSerializerSnapshot<T>) old);
  }

  private static String name(TypeSerializerSnapshot<?> snapshot) {
    return name(snapshot.restoreSerializer());
  }

  private static String name(TypeSerializer<?> serializer) {
    if (serializer instanceof MapSerializer<?, ?> map) {
      return "map of " + name(map.getKeySerializer()) + " to " + name(map.getValueSerializer());
    }
    if (serializer instanceof ListSerializer<?> list) {
      return "list of " + name(list.getElementSerializer());
    }
    String type = serializer.getClass().getName();
    return type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
  }
}
