package io.warmpath.lab.flink;

import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * States of one operator, as a savepoint describes them.
 *
 * @param label what it is called: its uid, else its name, else its id
 * @param states serializers of each state, by the state's name and the serializer's part in it
 * @param unreadable why its states cannot be read; null if they can
 */
public record OperatorStates(
    String label, Map<String, Map<String, TypeSerializerSnapshot<?>>> states, String unreadable) {

  /** The name that an operator's key goes by among its states. */
  static final String KEY = "(the key)";

  OperatorStates(String label) {
    this(label, new TreeMap<>(), null);
  }

  OperatorStates withUnreadable(String reason) {
    return new OperatorStates(label, states, reason);
  }
}
