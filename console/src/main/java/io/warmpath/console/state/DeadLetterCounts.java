package io.warmpath.console.state;

import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.topic.TopicSpec;
import io.warmpath.schemas.topic.Topics;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Dead letters since the console started, by the topic that they were read from and the reason.
 * Topics that are none of Warmpath's count together.
 */
public final class DeadLetterCounts {

  /** Stands for every topic that Warmpath does not know. */
  public static final String OTHER = "other";

  private final Map<String, Map<Reason, Long>> counts = new TreeMap<>();

  void add(DeadLetter letter) {
    boolean known = Topics.ALL.stream().map(TopicSpec::name).anyMatch(letter.topic()::equals);
    counts
        .computeIfAbsent(known ? letter.topic() : OTHER, topic -> new EnumMap<>(Reason.class))
        .merge(letter.reason(), 1L, Long::sum);
  }

  /** How many were refused for a reason. */
  public long of(String topic, Reason reason) {
    return counts.getOrDefault(topic, Map.of()).getOrDefault(reason, 0L);
  }

  /** How many there were of each topic that had one, by reason. */
  Map<String, Map<Reason, Long>> copy() {
    Map<String, Map<Reason, Long>> copy = new TreeMap<>();
    counts.forEach((topic, byReason) -> copy.put(topic, new EnumMap<>(byReason)));
    return copy;
  }
}
