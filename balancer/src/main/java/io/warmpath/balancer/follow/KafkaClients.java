package io.warmpath.balancer.follow;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Makes Kafka clients from a user's properties, which pass through untouched. */
public final class KafkaClients {

  private final String clientId;
  private final Map<String, Object> properties;

  /**
   * @param properties {@code bootstrap.servers} and whatever else the clients need
   */
  public KafkaClients(String clientId, Map<String, Object> properties) {
    this.clientId = clientId;
    this.properties = Map.copyOf(properties);
  }

  /** A consumer without group that creates no topic. */
  public Consumer<byte[], byte[]> consumer(String purpose) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("enable.auto.commit", false);
    settings.put("auto.offset.reset", "earliest");
    // What a job wrote in a transaction counts once its checkpoint is complete.
    settings.put("isolation.level", "read_committed");
    settings.put("allow.auto.create.topics", false);
    settings.put("default.api.timeout.ms", 5_000);
    settings.put("request.timeout.ms", 4_000);
    settings.put("fetch.max.wait.ms", 100);
    settings.putAll(properties);
    settings.put("client.id", clientId + "-" + purpose);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * A producer.
   *
   * @param needed settings that the properties do not override
   */
  public Producer<String, byte[]> producer(Map<String, Object> needed) {
    Map<String, Object> settings = new HashMap<>(properties);
    settings.putAll(needed);
    settings.put("client.id", clientId + "-events");
    return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
  }
}
