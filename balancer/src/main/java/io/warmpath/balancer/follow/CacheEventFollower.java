package io.warmpath.balancer.follow;

import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.InvalidRecordException;
import io.warmpath.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings {@code llm.cache-events} to the routers. It starts some time back, so that a balancer that
 * starts learns what the replicas hold.
 */
public final class CacheEventFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CacheEventFollower.class);

  private final Consumer<CacheEventBatch> taker;
  private final LongSupplier epochMillis;
  private final Duration replay;
  private final TopicFollower follower;
  private boolean warned;

  /**
   * @param taker takes the events of all replicas, in order, on the follower's thread
   * @param replay how far back to start
   */
  public CacheEventFollower(
      Supplier<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>> consumers,
      Consumer<CacheEventBatch> taker,
      Duration replay,
      LongSupplier epochMillis) {
    this.taker = taker;
    this.replay = replay;
    this.epochMillis = epochMillis;
    this.follower = new TopicFollower(Topics.CACHE_EVENTS, consumers, this::seek, this::read);
  }

  /** Waits until the topic was read to its end, within a bound; false if it was not. */
  public boolean awaitCaughtUp(Duration bound) {
    return follower.awaitCaughtUp(bound);
  }

  private void seek(
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
      List<TopicPartition> partitions) {
    long from = Math.max(0, epochMillis.getAsLong() - replay.toMillis());
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, from));
    Map<TopicPartition, OffsetAndTimestamp> offsets = consumer.offsetsForTimes(times);
    for (TopicPartition partition : partitions) {
      OffsetAndTimestamp first = offsets.get(partition);
      if (first == null) {
        consumer.seekToEnd(List.of(partition));
      } else {
        consumer.seek(partition, first.offset());
      }
    }
  }

  private void read(ConsumerRecord<byte[], byte[]> record) {
    try {
      taker.accept(Codecs.CACHE_EVENT_BATCH.decode(record.value()));
    } catch (InvalidRecordException e) {
      if (!warned) {
        warned = true;
        LOG.warn("ignored cache events at offset {}: {}", record.offset(), e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    follower.close();
  }
}
