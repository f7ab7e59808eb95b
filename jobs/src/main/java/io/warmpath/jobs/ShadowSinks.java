package io.warmpath.jobs;

import io.warmpath.jobs.source.Refusal;
import io.warmpath.schemas.stats.ShadowStats;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * What the shadow job writes.
 *
 * @param stats what other policies would have given
 * @param refusals records that could not be read
 */
public record ShadowSinks(Sink<ShadowStats> stats, Sink<Refusal> refusals) {}
