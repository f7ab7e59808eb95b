package io.warmpath.jobs;

import io.warmpath.jobs.combine.DroppedEvent;
import io.warmpath.jobs.source.Refusal;
import io.warmpath.jobs.window.WrittenRow;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * What the routing-stats job writes.
 *
 * @param stats rows, in order for each model
 * @param refusals records that could not be read
 * @param dropped what is told of events that came too late to count
 */
public record StatsSinks(
    Sink<WrittenRow> stats, Sink<Refusal> refusals, Sink<DroppedEvent> dropped) {}
