package io.warmpath.jobs.source;

import io.warmpath.jobs.types.RecordKind;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import java.io.Serializable;

/**
 * A kind of record that a job reads, and the time that each says of itself.
 *
 * @param kind kind of record
 * @param time its time
 * @param <T> the records
 */
public record Timed<T extends WarmpathRecord>(RecordKind<T> kind, TimeOf<T> time)
    implements Serializable {

  public static final Timed<RequestEvent> REQUESTS =
      new Timed<>(RecordKind.REQUEST_EVENT, event -> event.context().eventTimeMs());
  public static final Timed<CacheEventBatch> CACHE_EVENTS =
      new Timed<>(RecordKind.CACHE_EVENT_BATCH, CacheEventBatch::eventTimeMs);
  public static final Timed<ReplicaTelemetry> TELEMETRY =
      new Timed<>(RecordKind.REPLICA_TELEMETRY, ReplicaTelemetry::eventTimeMs);
  public static final Timed<RoutingStats> STATS =
      new Timed<>(RecordKind.ROUTING_STATS, RoutingStats::windowEndMs);

  /** The time of a record. */
  public interface TimeOf<T> extends Serializable {
    /** Epoch milliseconds. */
    long eventTimeMs(T value);
  }
}
