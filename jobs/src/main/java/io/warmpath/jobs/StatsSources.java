package io.warmpath.jobs;

import io.warmpath.jobs.request.RequestFigures;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * What the routing-stats job reads, with event times and watermarks.
 *
 * @param requests request events
 * @param cacheEvents cache events
 * @param telemetry telemetry
 */
public record StatsSources(
    DataStream<Inbound<RequestFigures>> requests,
    DataStream<Inbound<CacheEventBatch>> cacheEvents,
    DataStream<Inbound<ReplicaTelemetry>> telemetry) {}
