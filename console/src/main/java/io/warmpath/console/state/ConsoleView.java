package io.warmpath.console.state;

import java.util.List;

/**
 * Everything that the page shows.
 *
 * @param nowMs the console's clock, epoch milliseconds
 * @param retentionMs how far back histories reach
 * @param models by name
 * @param invalidRecords records of the result topics that could not be read
 * @param refusedRecords records beyond the bounds of what the console keeps
 */
public record ConsoleView(
    long nowMs,
    long retentionMs,
    List<ModelView> models,
    long invalidRecords,
    long refusedRecords) {}
