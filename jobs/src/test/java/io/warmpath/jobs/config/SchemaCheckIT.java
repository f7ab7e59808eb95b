package io.warmpath.jobs.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.warmpath.jobs.testing.Broker;
import io.warmpath.jobs.testing.Request;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.topic.RecordHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics whose newest record tells before the start that a job could read none of them. */
class SchemaCheckIT {

  private static final long T = 1_796_083_200_000L;
  private static final int PARTITIONS = 3;
  private static final byte[] EVENT = Codecs.REQUEST_EVENT.encode(Request.at(T).finished());

  @TempDir private static Path folder;

  private static Broker broker;
  private static int topics;

  private String topic;

  @BeforeAll
  static void start() throws Exception {
    broker = new Broker(folder);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @BeforeEach
  void createTopic() throws Exception {
    topic = "requests-" + ++topics;
    broker.createTopic(topic, PARTITIONS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"request-event/2", "request-event/0", "routing-stats/1"})
  void anotherSchemaIsRefusedByOptionAndTopic(String schema) {
    send(0, T, "request-event/1", EVENT);
    send(1, T + 1, schema, EVENT);
    assertRefused(schema);
  }

  @Test
  void withoutAHeaderTheVersionInTheRecordTells() {
    send(0, T, null, "{\"v\":2,\"type\":\"finished\"}");
    assertRefused("request-event/2");
  }

  @Test
  void theNewestRecordOfAllPartitionsTells() {
    send(0, T, "request-event/2", EVENT);
    send(2, T + 1, "request-event/1", EVENT);
    require();
  }

  @Test
  void whatIsNoRecordSaysNothingOfTheOthers() {
    require();
    send(0, T, null, "garbage");
    require();
    send(0, T + 1, "request event, version 2", EVENT);
    require();
    send(0, T + 2, null, "{\"v\":\"2\"}");
    require();
    send(0, T + 3, "request-event/1", "garbage");
    require();
    send(0, T + 4, null, (byte[]) null);
    require();
  }

  @Test
  void recordsBeforeTheEndOfATransactionTell() {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", topic);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(record(0, T, "request-event/2", EVENT));
      producer.commitTransaction();
      assertRefused("request-event/2");

      // What was written and never committed is not there.
      producer.beginTransaction();
      producer.send(record(0, T + 1, "request-event/3", EVENT));
      producer.abortTransaction();
      assertRefused("request-event/2");
    }
  }

  private void assertRefused(String held) {
    IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, this::require);
    assertEquals(
        "--bootstrap-servers: topic %s at %s holds %s, and this job reads request-event/1"
            .formatted(topic, broker.bootstrapServers(), held),
        thrown.getMessage());
  }

  private void require() {
    KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "group", Map.of());
    TopicCheck.require(kafka, List.of(topic), Map.of(topic, RecordKind.REQUEST_EVENT));
  }

  private void send(int partition, long timestampMs, String schema, String value) {
    send(partition, timestampMs, schema, value.getBytes(StandardCharsets.UTF_8));
  }

  private void send(int partition, long timestampMs, String schema, byte[] value) {
    broker.send(record(partition, timestampMs, schema, value));
    broker.flush();
  }

  private ProducerRecord<byte[], byte[]> record(
      int partition, long timestampMs, String schema, byte[] value) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, partition, timestampMs, null, value);
    if (schema != null) {
      record.headers().add(RecordHeaders.SCHEMA, schema.getBytes(StandardCharsets.UTF_8));
    }
    return record;
  }
}
