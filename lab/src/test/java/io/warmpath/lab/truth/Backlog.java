package io.warmpath.lab.truth;

import io.warmpath.lab.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** What of a topic a job has not read yet, as its checkpoints say. */
public final class Backlog {

  private Backlog() {}

  /** Returns when a group has committed that it read all that there is. */
  public static void awaitNone(
      String bootstrapServers, String topic, String group, Duration patience) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      Await.until(topic + " is read", patience, () -> isNone(admin, topic, group));
    }
  }

  private static boolean isNone(Admin admin, String topic, String group) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> read =
        admin
            .listConsumerGroupOffsets(group)
            .partitionsToOffsetAndMetadata()
            .get(10, TimeUnit.SECONDS);
    return ends(admin, topic).entrySet().stream()
        .filter(end -> end.getValue() > 0)
        .allMatch(
            end ->
                read.get(end.getKey()) != null
                    && read.get(end.getKey()).offset() >= end.getValue());
  }

  /** The offset after the last record of each partition. */
  public static Map<TopicPartition, Long> ends(Admin admin, String topic) throws Exception {
    TopicDescription description =
        admin.describeTopics(List.of(topic)).allTopicNames().get(10, TimeUnit.SECONDS).get(topic);
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    description
        .partitions()
        .forEach(
            info -> latest.put(new TopicPartition(topic, info.partition()), OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    admin
        .listOffsets(latest)
        .all()
        .get(10, TimeUnit.SECONDS)
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }
}
