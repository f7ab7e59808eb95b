package io.warmpath.bench.flink;

import io.warmpath.bench.contender.Setup;
import io.warmpath.schemas.topic.Topics;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.AbstractDeserializationSchema;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Flink's Kafka source and nothing behind it: no job on Flink is faster. */
public final class SourceToNothing {

  private SourceToNothing() {}

  /** Adds it to an environment. */
  public static void attach(StreamExecutionEnvironment env, Setup setup) {
    env.getConfig().enableObjectReuse();
    env.enableCheckpointing(setup.checkpointIntervalMs());
    KafkaSource<byte[]> source =
        KafkaSource.<byte[]>builder()
            .setBootstrapServers(setup.bootstrapServers())
            .setGroupId(setup.name())
            .setTopics(Topics.REQUESTS)
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setValueOnlyDeserializer(new Bytes())
            .build();
    env.fromSource(source, WatermarkStrategy.noWatermarks(), "requests")
        .sinkTo(new DiscardingSink<>());
  }

  private static final class Bytes extends AbstractDeserializationSchema<byte[]> {

    private static final long serialVersionUID = 1L;

    @Override
    public byte[] deserialize(byte[] message) {
      return message;
    }
  }
}
