package io.warmpath.jobs.types;

import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.JsonCodec;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.io.Serializable;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A kind of record, in a form that Flink can ship: codecs themselves do not serialize.
 *
 * @param <T> the records
 */
public final class RecordKind<T extends WarmpathRecord> implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final Map<String, JsonCodec<?>> CODECS =
      Stream.<JsonCodec<?>>of(
              Codecs.REQUEST_EVENT,
              Codecs.CACHE_EVENT_BATCH,
              Codecs.REPLICA_TELEMETRY,
              Codecs.ROUTING_STATS,
              Codecs.ROUTING_WEIGHTS,
              Codecs.WEIGHT_DECISION,
              Codecs.SHADOW_STATS,
              Codecs.DEAD_LETTER)
          .collect(Collectors.toUnmodifiableMap(JsonCodec::schema, Function.identity()));

  public static final RecordKind<RequestEvent> REQUEST_EVENT = of(Codecs.REQUEST_EVENT);
  public static final RecordKind<CacheEventBatch> CACHE_EVENT_BATCH = of(Codecs.CACHE_EVENT_BATCH);
  public static final RecordKind<ReplicaTelemetry> REPLICA_TELEMETRY = of(Codecs.REPLICA_TELEMETRY);
  public static final RecordKind<RoutingStats> ROUTING_STATS = of(Codecs.ROUTING_STATS);
  public static final RecordKind<RoutingWeights> ROUTING_WEIGHTS = of(Codecs.ROUTING_WEIGHTS);
  public static final RecordKind<WeightDecision> WEIGHT_DECISION = of(Codecs.WEIGHT_DECISION);
  public static final RecordKind<ShadowStats> SHADOW_STATS = of(Codecs.SHADOW_STATS);
  public static final RecordKind<DeadLetter> DEAD_LETTER = of(Codecs.DEAD_LETTER);

  private final String schema;
  private transient JsonCodec<T> codec;

  private RecordKind(String schema) {
    this.schema = schema;
  }

  private static <T extends WarmpathRecord> RecordKind<T> of(JsonCodec<T> codec) {
    return new RecordKind<>(codec.schema());
  }

  /**
   * The kind whose codec has the given schema name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static RecordKind<?> bySchema(String schema) {
    if (!CODECS.containsKey(schema)) {
      throw new IllegalArgumentException("no record kind with schema " + schema);
    }
    return new RecordKind<>(schema);
  }

  /** Name and version of the schema. */
  public String schema() {
    return schema;
  }

  /** The reader and writer of these records. */
  @SuppressWarnings("unchecked") // The map holds each codec under its own schema's name.
  public JsonCodec<T> codec() {
    if (codec == null) {
      codec = (JsonCodec<T>) CODECS.get(schema);
    }
    return codec;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RecordKind<?> kind && kind.schema.equals(schema);
  }

  @Override
  public int hashCode() {
    return schema.hashCode();
  }

  @Override
  public String toString() {
    return schema;
  }
}
