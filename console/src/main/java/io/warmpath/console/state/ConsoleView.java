package io.warmpath.console.state;

import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import java.util.List;
import java.util.Map;

/**
 * Everything that the page shows.
 *
 * @param nowMs the console's clock, epoch milliseconds
 * @param retentionMs how far back histories reach
 * @param models by name
 * @param deadLetters records that no job could use since the console started, by the topic that
 *     they were read from and the reason
 * @param invalidRecords records of the result topics that could not be read
 * @param refusedRecords records beyond the bounds of what the console keeps
 */
public record ConsoleView(
    long nowMs,
    long retentionMs,
    List<ModelView> models,
    Map<String, Map<Reason, Long>> deadLetters,
    long invalidRecords,
    long refusedRecords) {}
