package io.warmpath.lab.stack;

import io.warmpath.replica.ReplicaConfig;
import io.warmpath.replica.ReplicaServer;
import io.warmpath.replica.events.CacheEventSink;
import io.warmpath.replica.events.KafkaEventSink;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * Loses one batch of each hundred on its way to Kafka, the first that tells of a hit; never the
 * very first of all, as nobody can tell that a numbering began before what came of it.
 */
final class LossySink implements CacheEventSink {

  private static final int HUNDRED = 100;

  private final CacheEventSink kafka;
  private final List<CacheEventBatch> lost;
  private final BooleanSupplier losing;
  private long lostInHundred = -1;

  private LossySink(CacheEventSink kafka, List<CacheEventBatch> lost, BooleanSupplier losing) {
    this.kafka = kafka;
    this.lost = lost;
    this.losing = losing;
  }

  /** A replica whose cache events get lost, into the given list, for as long as it is said. */
  static ReplicaServer start(
      ReplicaConfig config, List<CacheEventBatch> lost, BooleanSupplier losing) {
    CacheEventSink kafka = KafkaEventSink.connect(config.name(), config.kafka());
    return ReplicaServer.start(config, new LossySink(kafka, lost, losing));
  }

  /** Where losses are told, by any thread. */
  static List<CacheEventBatch> losses() {
    return new CopyOnWriteArrayList<>();
  }

  /** Tokens of the prefill events in batches that came from a cache. */
  static long prefillHits(List<CacheEventBatch> batches) {
    return batches.stream()
        .flatMap(batch -> batch.events().stream())
        .filter(CacheEvent.Prefill.class::isInstance)
        .mapToLong(event -> ((CacheEvent.Prefill) event).cachedTokens())
        .sum();
  }

  /** A figure of the counters events in batches, added up. */
  static long counters(List<CacheEventBatch> batches, ToLongFunction<CacheEvent.Counters> figure) {
    return batches.stream()
        .flatMap(batch -> batch.events().stream())
        .filter(CacheEvent.Counters.class::isInstance)
        .map(CacheEvent.Counters.class::cast)
        .mapToLong(figure)
        .sum();
  }

  @Override
  public void send(CacheEventBatch batch) {
    List<CacheEventBatch> one = List.of(batch);
    boolean tellsOfHit = prefillHits(one) + counters(one, CacheEvent.Counters::hitTokens) > 0;
    boolean due = tellsOfHit && batch.part() == null && batch.seq() / HUNDRED > lostInHundred;
    if (due && batch.seq() > 0 && losing.getAsBoolean()) {
      lostInHundred = batch.seq() / HUNDRED;
      lost.add(batch);
    } else {
      kafka.send(batch);
    }
  }

  @Override
  public void send(ReplicaTelemetry telemetry) {
    kafka.send(telemetry);
  }

  @Override
  public long dropped() {
    return kafka.dropped();
  }

  @Override
  public void close() {
    kafka.close();
  }
}
