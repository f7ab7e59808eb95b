package io.warmpath.schemas.topic;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A topic as Warmpath needs it.
 *
 * @param name topic name
 * @param partitions partitions to create it with
 * @param cleanupPolicy {@code delete} or {@code compact}
 * @param retention how long records are kept; null for compacted topics
 * @param maxMessageBytes largest record batch
 */
public record TopicSpec(
    String name, int partitions, String cleanupPolicy, Duration retention, int maxMessageBytes) {

  /** The topic's settings by Kafka's names, in a fixed order. */
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("cleanup.policy", cleanupPolicy);
    if (retention != null) {
      settings.put("retention.ms", Long.toString(retention.toMillis()));
    }
    settings.put("max.message.bytes", Integer.toString(maxMessageBytes));
    return settings;
  }

  /** The same topic with another number of partitions. */
  public TopicSpec withPartitions(int count) {
    return new TopicSpec(name, count, cleanupPolicy, retention, maxMessageBytes);
  }
}
