package io.warmpath.balancer.follow;

import io.warmpath.balancer.weights.WeightsState;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.InvalidRecordException;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.RoutingWeights;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings {@code llm.routing-weights} to the weights of each model. */
public final class WeightsFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WeightsFollower.class);

  private final List<WeightsState> models;
  private final TopicFollower follower;

  public WeightsFollower(Supplier<Consumer<byte[], byte[]>> consumers, List<WeightsState> models) {
    this.models = List.copyOf(models);
    this.follower =
        new TopicFollower(
            Topics.ROUTING_WEIGHTS, consumers, TopicFollower::fromBeginning, this::read);
  }

  /** Waits until the compacted topic was read, within a bound; false if it was not. */
  public boolean awaitCaughtUp(Duration bound) {
    return follower.awaitCaughtUp(bound);
  }

  private void read(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      return; // A tombstone: the lease ends what was published before.
    }
    try {
      RoutingWeights weights = Codecs.ROUTING_WEIGHTS.decode(record.value());
      models.forEach(model -> model.accept(weights));
    } catch (InvalidRecordException e) {
      LOG.warn("ignored weights at offset {}: {}", record.offset(), e.getMessage());
    }
  }

  @Override
  public void close() {
    follower.close();
  }
}
