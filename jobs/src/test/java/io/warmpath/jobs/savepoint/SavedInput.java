package io.warmpath.jobs.savepoint;

import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.testing.Request;
import io.warmpath.jobs.testing.Rows;
import io.warmpath.jobs.testing.Traffic;
import io.warmpath.jobs.testing.Turns;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.List;

/** Makes the input that a new savepoint is taken on. */
final class SavedInput {

  /** Its records come after all others and its results after those of other models. */
  static final String CLOSING = "z-closing";

  private static final long T = 1_796_083_200_000L;
  private static final long SPAN_MS = 150_000;
  private static final long CLOSING_MS = T + SPAN_MS + 400_000;
  private static final int PARTITIONS = 3;

  private SavedInput() {}

  /** Events of all kinds, in all disorder. */
  static List<LoggedRecord> ofStats() {
    List<LoggedRecord> records = new ArrayList<>();
    for (Parsed<?> parsed : new Traffic(5, T, SPAN_MS).records(600)) {
      long writtenMs = parsed.skewed() ? parsed.eventTimeMs() : parsed.eventTimeMs() + 1;
      records.add(
          LoggedRecord.of(parsed.topic(), parsed.partition(), writtenMs, encoded(parsed.value())));
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      for (long timeMs : List.of(CLOSING_MS, CLOSING_MS + 60_000)) {
        records.add(
            record(
                Topics.REQUESTS,
                partition,
                timeMs,
                Request.of("closing-" + partition, timeMs).model(CLOSING).finished()));
        records.add(
            record(
                Topics.CACHE_EVENTS,
                partition,
                timeMs,
                new CacheEventBatch(
                    timeMs,
                    "replica-0",
                    CLOSING,
                    CacheEventBatch.Source.ENGINE,
                    1 + partition,
                    timeMs == CLOSING_MS ? 0 : 1,
                    0,
                    null,
                    List.of(new CacheEvent.Cleared()))));
        records.add(
            record(
                Topics.REPLICA_TELEMETRY,
                partition,
                timeMs,
                new ReplicaTelemetry(timeMs, "replica-0", CLOSING, 16, 0, 0, 0, 100, null)));
      }
    }
    return records;
  }

  /** Rows of three replicas, one of which slows down. */
  static List<LoggedRecord> ofWeights() {
    List<LoggedRecord> records = new ArrayList<>();
    for (int window = 0; window < 40; window++) {
      long endMs = T + window * 5_000L;
      records.add(row(endMs, Rows.replica("replica-0", endMs, 40)));
      records.add(row(endMs, Rows.replica("replica-1", endMs, 40)));
      records.add(row(endMs, Rows.replica("replica-2", endMs, window < 15 ? 40 : 90)));
      records.add(row(endMs, Rows.total(endMs)));
    }
    return records;
  }

  private static LoggedRecord row(long endMs, RoutingStats row) {
    return record(Topics.ROUTING_STATS, 0, endMs, row);
  }

  /** Turns of seven conversations on three replicas. */
  static List<LoggedRecord> ofShadow() {
    List<LoggedRecord> records = new ArrayList<>();
    for (int number = 0; number < 500; number++) {
      long timeMs = T + 300L * number;
      records.add(
          record(Topics.REQUESTS, number % PARTITIONS, timeMs, Turns.routed(number, "m", timeMs)));
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      for (long timeMs : List.of(CLOSING_MS, CLOSING_MS + 120_000)) {
        records.add(
            record(
                Topics.REQUESTS, partition, timeMs, Turns.routed(records.size(), CLOSING, timeMs)));
      }
    }
    return records;
  }

  private static LoggedRecord record(String topic, int partition, long timeMs, Object value) {
    return LoggedRecord.of(topic, partition, timeMs, encoded(value));
  }

  private static byte[] encoded(Object value) {
    if (value instanceof RequestEvent event) {
      return Codecs.REQUEST_EVENT.encode(event);
    } else if (value instanceof CacheEventBatch batch) {
      return Codecs.CACHE_EVENT_BATCH.encode(batch);
    } else if (value instanceof ReplicaTelemetry report) {
      return Codecs.REPLICA_TELEMETRY.encode(report);
    }
    return Codecs.ROUTING_STATS.encode((RoutingStats) value);
  }
}
