package io.warmpath.bench.streams;

import io.warmpath.bench.contender.Contender;
import io.warmpath.bench.contender.Setup;
import io.warmpath.bench.contender.WindowFigures;
import io.warmpath.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.ValueAndTimestamp;

/**
 * The nearest Kafka Streams program, as one who knows it well would write it: events are cut down
 * to what counts before they are sent on by key, panes of five seconds in place of twelve
 * overlapping windows, state in memory behind a cache, sketches in place of all values, large
 * batches. Its grace is longer than the topic, so that nothing is dropped as late however far
 * partitions drift apart. It does as little as {@code SqlQuery}.
 */
public final class StreamsProgram implements Contender {

  private static final Duration SLIDE = Duration.ofMillis(WindowFigures.SLIDE_MS);
  private static final Duration GRACE = Duration.ofMinutes(20);
  private static final String PANES = "panes";

  private final LongAdder counted = new LongAdder();
  private final KafkaStreams streams;

  private StreamsProgram(Setup setup, Path folder) {
    Properties properties = properties(setup, folder);
    streams = new KafkaStreams(topology(properties), properties);
  }

  /** Starts it; {@code folder} is for its files. */
  public static StreamsProgram start(Setup setup, Path folder) {
    StreamsProgram program = new StreamsProgram(setup, folder);
    program.streams.start();
    return program;
  }

  private Topology topology(Properties properties) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(Topics.REQUESTS, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .mapValues(this::parse)
        .filter((ignored, keyed) -> keyed != null)
        .map((ignored, keyed) -> KeyValue.pair(keyed.key(), keyed.sample()))
        .groupByKey(
            Grouped.with(
                "by-key",
                Serdes.String(),
                serde((t, sample) -> sample.toBytes(), (t, b) -> RequestSample.ofBytes(b))))
        .windowedBy(TimeWindows.ofSizeAndGrace(SLIDE, GRACE))
        .aggregate(
            WindowSum::new,
            (key, sample, sum) -> count(sum.add(sample)),
            Materialized.<String, WindowSum>as(
                    Stores.inMemoryWindowStore(PANES, GRACE.plus(SLIDE), SLIDE, false))
                .withKeySerde(Serdes.String())
                .withValueSerde(
                    serde((t, sum) -> sum.toBytes(), (t, bytes) -> WindowSum.ofBytes(bytes)))
                .withCachingEnabled())
        .toStream()
        .process(() -> new WindowMerger(SLIDE, PANES), PANES);
    return builder.build(properties);
  }

  /** What counts nowhere is behind it once it is read, the rest when it is in its pane. */
  private RequestSample.Keyed parse(byte[] event) {
    RequestSample.Keyed keyed = RequestSample.parse(event);
    if (keyed == null) {
      counted.increment();
    }
    return keyed;
  }

  private WindowSum count(WindowSum sum) {
    counted.increment();
    return sum;
  }

  /** Nulls are Kafka's own affair: tombstones. */
  private static <T> Serde<T> serde(Serializer<T> to, Deserializer<T> from) {
    return Serdes.serdeFrom(
        (topic, value) -> value == null ? null : to.serialize(topic, value),
        (topic, bytes) -> bytes == null ? null : from.deserialize(topic, bytes));
  }

  private static Properties properties(Setup setup, Path folder) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, setup.name());
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, setup.bootstrapServers());
    properties.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, setup.parallelism());
    properties.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, 1);
    properties.put(StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG, StreamsConfig.OPTIMIZE);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, setup.checkpointIntervalMs());
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 512L << 20);
    properties.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 10_000);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 10_000);
    properties.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 100);
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 512 << 10);
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    return properties;
  }

  @Override
  public long processed() {
    return counted.sum();
  }

  @Override
  public List<WindowFigures> windows() {
    MinuteWindows windows = new MinuteWindows();
    try (KeyValueIterator<Windowed<String>, ValueAndTimestamp<WindowSum>> panes =
        streams
            .store(
                StoreQueryParameters.fromNameAndType(
                    PANES, QueryableStoreTypes.<String, WindowSum>timestampedWindowStore()))
            .all()) {
      panes.forEachRemaining(
          pane -> windows.add(pane.key.key(), pane.key.window().start(), pane.value.value()));
    }
    return windows.figures();
  }

  @Override
  public void requireSound() {
    if (!streams.state().isRunningOrRebalancing()) {
      throw new IllegalStateException("Kafka Streams is " + streams.state());
    }
    double dropped =
        streams.metrics().entrySet().stream()
            .filter(metric -> metric.getKey().name().equals("dropped-records-total"))
            .mapToDouble(metric -> ((Number) metric.getValue().metricValue()).doubleValue())
            .sum();
    if (dropped > 0) {
      throw new IllegalStateException("Kafka Streams dropped " + dropped + " records");
    }
  }

  @Override
  public void close() {
    streams.close();
  }
}
