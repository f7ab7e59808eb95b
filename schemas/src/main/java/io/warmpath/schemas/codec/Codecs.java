package io.warmpath.schemas.codec;

import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.RoutingDecision;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;

/** The one codec of each kind of record. */
public final class Codecs {

  private static final int KIB = 1024;

  public static final JsonCodec<RequestEvent> REQUEST_EVENT =
      new JsonCodec<>("request-event/1", RequestEvent.class, 512 * KIB, RequestEventWriter::write);
  public static final JsonCodec<CacheEventBatch> CACHE_EVENT_BATCH =
      new JsonCodec<>("cache-event-batch/1", CacheEventBatch.class, 512 * KIB);
  public static final JsonCodec<ReplicaTelemetry> REPLICA_TELEMETRY =
      new JsonCodec<>("replica-telemetry/1", ReplicaTelemetry.class, 64 * KIB);
  public static final JsonCodec<RoutingStats> ROUTING_STATS =
      new JsonCodec<>("routing-stats/1", RoutingStats.class, 512 * KIB);
  public static final JsonCodec<RoutingWeights> ROUTING_WEIGHTS =
      new JsonCodec<>("routing-weights/1", RoutingWeights.class, 1024 * KIB);
  public static final JsonCodec<WeightDecision> WEIGHT_DECISION =
      new JsonCodec<>("weight-decision/1", WeightDecision.class, 1024 * KIB);
  public static final JsonCodec<ShadowStats> SHADOW_STATS =
      new JsonCodec<>("shadow-stats/1", ShadowStats.class, 512 * KIB);
  public static final JsonCodec<DeadLetter> DEAD_LETTER =
      new JsonCodec<>("dead-letter/1", DeadLetter.class, 1024 * KIB);
  public static final JsonCodec<RoutingDecision> ROUTING_DECISION =
      new JsonCodec<>("routing-decision/1", RoutingDecision.class, 1024 * KIB);

  private Codecs() {}
}
