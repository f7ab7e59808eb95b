package io.warmpath.lab.verify;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** Tells when those records were written, at the latest, that a stretch lacks at its beginning. */
final class GoneRecords {

  private static final long PATIENCE_SECONDS = 30;
  private static final String UNLIMITED = "-1";

  private final KafkaLog kafka;
  private final Map<String, Object> properties;
  private final OptionalLong fromMs;

  /**
   * @param properties properties of Kafka clients
   * @param fromMs stretches begin with what was written then
   */
  GoneRecords(KafkaLog kafka, Map<String, Object> properties, OptionalLong fromMs) {
    this.kafka = kafka;
    this.properties = properties;
    this.fromMs = fromMs;
  }

  /** The time before which they were written; empty if none is gone. */
  OptionalLong writtenBeforeMs(Stretch stretch) {
    Map<TopicPartition, Long> beginnings = kafka.beginnings(stretch.topic());
    return stretch.from().keySet().stream()
        .filter(stretch::beginsLate)
        .mapToLong(
            partition ->
                fromMs.isPresent() && stretch.from().get(partition) > beginnings.get(partition)
                    ? fromMs.getAsLong()
                    : deletedBeforeMs(stretch, partition))
        .max();
  }

  /** What is left tells, in the order of its writing; where nothing is left, the topic's limit. */
  private long deletedBeforeMs(Stretch stretch, TopicPartition partition) {
    return kafka
        .firstWrittenMs(stretch, partition)
        .orElseGet(() -> System.currentTimeMillis() - retentionMs(stretch.topic()));
  }

  /** Nothing younger is deleted; 0 where that is not so. */
  private long retentionMs(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin admin = Admin.create(properties)) {
      Config config =
          admin
              .describeConfigs(List.of(resource))
              .all()
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
              .get(resource);
      String time = config.get(TopicConfig.RETENTION_MS_CONFIG).value();
      String bytes = config.get(TopicConfig.RETENTION_BYTES_CONFIG).value();
      return time.equals(UNLIMITED) || !bytes.equals(UNLIMITED) ? 0 : Long.parseLong(time);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("cannot read the settings of " + topic, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading the settings of " + topic, e);
    }
  }
}
