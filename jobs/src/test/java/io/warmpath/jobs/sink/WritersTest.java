package io.warmpath.jobs.sink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.warmpath.jobs.source.Refusal;
import io.warmpath.jobs.testing.Rows;
import io.warmpath.jobs.window.WrittenRow;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.stats.ShadowStats.Capacity;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema.KafkaSinkContext;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

class WritersTest {

  private static final long T = 1_796_083_200_000L;

  private static final String SHADOW_ROW =
      """
      {"v":1,"window_start_ms":1796083140000,"window_end_ms":1796083200000,"model":"a|b",\
      "policy":"blend:0.5","sample_rate":0.100000,"requests":2,"prompt_tokens":300,\
      "capacities":[{"factor":1.000000,"cached_tokens":100,"token_hit_rate":0.333333,\
      "token_hit_rate_error":0.050000,"token_hit_rate_model_error":0.000000,\
      "predicted_ttft":{"count":0,"sum_us":0,"p50_us":null,"p90_us":null,"p95_us":null,\
      "p99_us":null,"max_us":null,"p95_low_us":null,"p95_high_us":null}}]}""";

  private static final KafkaSinkContext THREE_PARTITIONS =
      new KafkaSinkContext() {
        @Override
        public int getParallelInstanceId() {
          return 0;
        }

        @Override
        public int getNumberOfParallelInstances() {
          return 1;
        }

        @Override
        public int[] getPartitionsForTopic(String topic) {
          return new int[] {0, 1, 2};
        }
      };

  @Test
  void rowsAreKeyedByAllThatNamesThem() {
    RoutingStats row = Rows.row("a|b", "*", "r%", 60_000, T, null);
    ProducerRecord<byte[], byte[]> record = write(row);

    assertEquals("llm.routing-stats", record.topic());
    assertEquals("a%7Cb|*|r%25|60000|" + T, text(record.key()));
    assertEquals(row, Codecs.ROUTING_STATS.decode(record.value()));
    assertEquals("application/json", header(record, "content-type"));
    assertEquals("routing-stats/1", header(record, "schema"));
    assertNull(record.timestamp());
  }

  @Test
  void allRowsOfAModelGoToOnePartition() {
    int partition = write(Rows.row("m", "*", "*", 60_000, T, null)).partition();
    assertEquals(partition, write(Rows.row("m", "a", "r", 10_000, T + 1_000, null)).partition());
    // It must not change, or a model's order breaks; readers may rely on Kafka's own choice.
    assertEquals(2, partition);
    for (String model : List.of("m", "warmpath-demo", "größer")) {
      assertEquals(
          BuiltInPartitioner.partitionForKey(model.getBytes(StandardCharsets.UTF_8), 3),
          StatsWriter.partition(model, new int[] {0, 1, 2}));
    }
  }

  @Test
  void weightsAndDecisionsAreKeyedByModel() {
    RoutingWeights weights = new RoutingWeights("m", T, T, T, 0.15, null, List.of(), List.of());
    ProducerRecord<byte[], byte[]> record =
        ModelWriter.ofWeights(Topics.ROUTING_WEIGHTS).serialize(weights, THREE_PARTITIONS, T);
    assertEquals("llm.routing-weights", record.topic());
    assertEquals("m", text(record.key()));
    assertNull(record.partition());
    assertEquals(weights, Codecs.ROUTING_WEIGHTS.decode(record.value()));

    WeightDecision decision = new WeightDecision("m", T, T, T, 0.15, null, List.of(), List.of());
    record =
        ModelWriter.ofDecisions(Topics.WEIGHT_DECISIONS).serialize(decision, THREE_PARTITIONS, T);
    assertEquals("llm.weight-decisions", record.topic());
    assertEquals("m", text(record.key()));
    assertEquals("weight-decision/1", header(record, "schema"));
  }

  @Test
  void shadowRowsAreKeyedByModelPolicyAndWindowEnd() {
    ShadowStats row =
        new ShadowStats(
            T - 60_000,
            T,
            "a|b",
            "blend:0.5",
            0.1,
            2,
            300,
            List.of(new Capacity(1, 100, 1.0 / 3, 0.05, 0.0, Distribution.EMPTY)));
    ProducerRecord<byte[], byte[]> record =
        new ShadowWriter(Topics.SHADOW_STATS).serialize(row, THREE_PARTITIONS, T);

    assertEquals("llm.shadow-stats", record.topic());
    assertEquals("a%7Cb|blend:0.5|1796083200000", text(record.key()));
    assertEquals("application/json", header(record, "content-type"));
    assertEquals("shadow-stats/1", header(record, "schema"));
    assertNull(record.partition());
    assertNull(record.timestamp());
    assertEquals(SHADOW_ROW, text(record.value()));
  }

  @Test
  void aModelThatIsGoneGetsATombstone() {
    ProducerRecord<byte[], byte[]> record =
        new TombstoneWriter(Topics.ROUTING_WEIGHTS).serialize("m", THREE_PARTITIONS, T);
    assertEquals("llm.routing-weights", record.topic());
    assertEquals("m", text(record.key()));
    assertNull(record.value());
  }

  @Test
  void deadLettersKeepTheKey() {
    byte[] key = {1, 2};
    DeadLetter letter = DeadLetter.of("t", 1, 2, Reason.NOT_JSON, "no", new byte[] {3});
    ProducerRecord<byte[], byte[]> record =
        new DeadLetterWriter(Topics.DEAD_LETTERS)
            .serialize(new Refusal(key, letter), THREE_PARTITIONS, T);
    assertEquals("llm.dead-letters", record.topic());
    assertArrayEquals(key, record.key());
    assertEquals(letter, Codecs.DEAD_LETTER.decode(record.value()));
    assertNull(
        new DeadLetterWriter(Topics.DEAD_LETTERS)
            .serialize(new Refusal(null, letter), THREE_PARTITIONS, T)
            .key());
  }

  private static ProducerRecord<byte[], byte[]> write(RoutingStats row) {
    return new StatsWriter(Topics.ROUTING_STATS).serialize(WrittenRow.of(row), THREE_PARTITIONS, T);
  }

  private static String header(ProducerRecord<byte[], byte[]> record, String name) {
    return text(record.headers().lastHeader(name).value());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
