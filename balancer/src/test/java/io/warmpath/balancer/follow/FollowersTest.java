package io.warmpath.balancer.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.weights.WeightsState;
import io.warmpath.routing.index.IndexBounds;
import io.warmpath.routing.index.PrefixIndex;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.RoutingWeights;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FollowersTest {

  private static final Duration BOUND = Duration.ofSeconds(10);

  private final WeightsState state = new WeightsState("m");

  @Test
  void readsTheWeightsThatAreThereAndThenFollows() {
    MockConsumer<byte[], byte[]> kafka = topic(Topics.ROUTING_WEIGHTS, 2);
    TopicPartition partition = new TopicPartition(Topics.ROUTING_WEIGHTS, 0);
    kafka.schedulePollTask(
        () -> {
          kafka.addRecord(record(partition, 0, weights(5)));
          kafka.addRecord(record(partition, 1, "{\"v\":2}".getBytes()));
        });
    try (WeightsFollower follower = new WeightsFollower(() -> kafka, List.of(state))) {
      assertTrue(follower.awaitCaughtUp(BOUND));
      assertEquals(5, state.epoch());
      kafka.schedulePollTask(
          () -> {
            kafka.addRecord(record(partition, 2, null));
            kafka.addRecord(record(partition, 3, weights(4)));
            kafka.addRecord(record(partition, 4, weights(9)));
          });
      Eventually.until("the newer weights", () -> state.epoch() == 9);
    }
  }

  @Test
  void doesNotHoldUpAStartForever() {
    Supplier<Consumer<byte[], byte[]>> down =
        () -> {
          throw new KafkaException("down");
        };
    try (WeightsFollower follower = new WeightsFollower(down, List.of(state))) {
      assertFalse(follower.awaitCaughtUp(Duration.ofMillis(20)));
    }
  }

  @Test
  void findsATopicThatComesLater() {
    MockConsumer<byte[], byte[]> kafka = topic(Topics.ROUTING_WEIGHTS, 0);
    AtomicInteger tries = new AtomicInteger();
    Supplier<Consumer<byte[], byte[]>> late =
        () -> {
          if (tries.getAndIncrement() == 0) {
            throw new KafkaException("not yet");
          }
          return kafka;
        };
    try (WeightsFollower follower = new WeightsFollower(late, List.of(state))) {
      assertTrue(follower.awaitCaughtUp(BOUND));
    }
  }

  @Test
  void bringsCacheEventsToTheIndex() {
    MockConsumer<byte[], byte[]> kafka = topic(Topics.CACHE_EVENTS, 1);
    PrefixIndex index = new PrefixIndex(IndexBounds.DEFAULTS);
    index.addReplica("a");
    TopicPartition partition = new TopicPartition(Topics.CACHE_EVENTS, 0);
    CacheEventBatch batch =
        new CacheEventBatch(
            1,
            "a",
            "m",
            CacheEventBatch.Source.ENGINE,
            1,
            0,
            0,
            null,
            List.of(new CacheEvent.Stored(HashList.of(1, 2), 16, CacheEvent.GPU, 0)));
    kafka.schedulePollTask(
        () -> kafka.addRecord(record(partition, 0, Codecs.CACHE_EVENT_BATCH.encode(batch))));
    try (CacheEventFollower follower =
        new CacheEventFollower(() -> kafka, index::apply, BOUND, () -> 100_000)) {
      assertTrue(follower.awaitCaughtUp(BOUND));
      assertTrue(index.isReporting("a"));
      assertEquals(2, index.cachedBlocks(new long[] {1, 2, 3}, 3, "a"));
    }
  }

  /** A topic of one partition with so many records to come. */
  private static MockConsumer<byte[], byte[]> topic(String name, long end) {
    MockConsumer<byte[], byte[]> kafka =
        new MockConsumer<>("earliest") {
          @Override
          public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
              Map<TopicPartition, Long> times) {
            return Map.of(new TopicPartition(name, 0), new OffsetAndTimestamp(0, 0));
          }
        };
    TopicPartition partition = new TopicPartition(name, 0);
    kafka.updatePartitions(name, List.of(new PartitionInfo(name, 0, null, null, null)));
    kafka.updateBeginningOffsets(Map.of(partition, 0L));
    kafka.updateEndOffsets(Map.of(partition, end));
    return kafka;
  }

  private static ConsumerRecord<byte[], byte[]> record(
      TopicPartition partition, long offset, byte[] value) {
    return new ConsumerRecord<>(partition.topic(), 0, offset, null, value);
  }

  private static byte[] weights(long epoch) {
    return Codecs.ROUTING_WEIGHTS.encode(
        new RoutingWeights("m", epoch, epoch + 1, epoch, 0.15, null, List.of(), List.of()));
  }
}
