package io.warmpath.schemas.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.JsonCodec;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TopicsTest {

  /** What each topic holds. */
  private static final Map<String, JsonCodec<?>> CODECS =
      Map.of(
          Topics.REQUESTS, Codecs.REQUEST_EVENT,
          Topics.CACHE_EVENTS, Codecs.CACHE_EVENT_BATCH,
          Topics.REPLICA_TELEMETRY, Codecs.REPLICA_TELEMETRY,
          Topics.ROUTING_STATS, Codecs.ROUTING_STATS,
          Topics.ROUTING_WEIGHTS, Codecs.ROUTING_WEIGHTS,
          Topics.WEIGHT_DECISIONS, Codecs.WEIGHT_DECISION,
          Topics.SHADOW_STATS, Codecs.SHADOW_STATS,
          Topics.DEAD_LETTERS, Codecs.DEAD_LETTER);

  private final Map<String, TopicSpec> byName =
      Topics.ALL.stream().collect(Collectors.toMap(TopicSpec::name, topic -> topic));

  @Test
  void everyTopicHoldsOneKindOfRecord() {
    assertEquals(new TreeSet<>(CODECS.keySet()), new TreeSet<>(byName.keySet()));
  }

  @Test
  void everyRecordFitsItsTopicWithRoomForKeyAndHeaders() {
    CODECS.forEach(
        (name, codec) ->
            assertTrue(codec.maxBytes() + 64 * 1024 <= byName.get(name).maxMessageBytes(), name));
  }

  @Test
  void weightsAreCompactedAndTheRestExpires() {
    TopicSpec weights = byName.get(Topics.ROUTING_WEIGHTS);
    assertEquals("compact", weights.cleanupPolicy());
    assertNull(weights.settings().get("retention.ms"));
    for (TopicSpec topic : Topics.ALL) {
      if (topic != weights) {
        assertEquals("delete", topic.cleanupPolicy(), topic.name());
        assertTrue(topic.retention().compareTo(Duration.ofHours(24)) >= 0, topic.name());
      }
    }
  }

  @Test
  void settingsCarryKafkasNames() {
    assertEquals(
        Map.of(
            "cleanup.policy", "delete",
            "retention.ms", "86400000",
            "max.message.bytes", "1048576"),
        byName.get(Topics.REQUESTS).settings());
    assertEquals(12, byName.get(Topics.REQUESTS).withPartitions(12).partitions());
  }
}
