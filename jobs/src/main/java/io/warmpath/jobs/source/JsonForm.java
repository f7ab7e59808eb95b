package io.warmpath.jobs.source;

import io.warmpath.jobs.types.JsonSerializer;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.Serializable;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Whole records, read by their codec.
 *
 * @param kind kind of record
 * @param time the time that each says of itself
 * @param <T> the records
 */
public record JsonForm<T extends WarmpathRecord>(RecordKind<T> kind, TimeOf<T> time)
    implements RecordForm<T> {

  public static final JsonForm<CacheEventBatch> CACHE_EVENTS =
      new JsonForm<>(RecordKind.CACHE_EVENT_BATCH, CacheEventBatch::eventTimeMs);
  public static final JsonForm<ReplicaTelemetry> TELEMETRY =
      new JsonForm<>(RecordKind.REPLICA_TELEMETRY, ReplicaTelemetry::eventTimeMs);
  public static final JsonForm<RoutingStats> STATS =
      new JsonForm<>(RecordKind.ROUTING_STATS, RoutingStats::windowEndMs);

  /** Whole request events, for a reader of more than what is counted. */
  public static final JsonForm<RequestEvent> REQUESTS =
      new JsonForm<>(RecordKind.REQUEST_EVENT, event -> event.context().eventTimeMs());

  /** Weights, at the time when the jobs can have published them: 2 s after their window. */
  public static final JsonForm<RoutingWeights> WEIGHTS =
      new JsonForm<>(RecordKind.ROUTING_WEIGHTS, weights -> weights.windowEndMs() + 2_000);

  /** The time of a record. */
  public interface TimeOf<T> extends Serializable {
    /** Epoch milliseconds. */
    long eventTimeMs(T value);
  }

  @Override
  public Reader<T> reader() {
    return kind.codec()::decode;
  }

  @Override
  public TypeSerializer<T> serializer() {
    return new JsonSerializer<>(kind);
  }

  @Override
  public long eventTimeMs(T value) {
    return time.eventTimeMs(value);
  }
}
