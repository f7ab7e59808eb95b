package io.warmpath.console.state;

/**
 * Records since the console started.
 *
 * @param stats rows read
 * @param weights weights read
 * @param shadow shadow windows read
 * @param decisions weight decisions read
 * @param deadLetters dead letters read
 * @param invalid records that could not be read
 * @param refused records beyond the bounds of what the console keeps
 */
public record RecordCounts(
    long stats,
    long weights,
    long shadow,
    long decisions,
    long deadLetters,
    long invalid,
    long refused) {}
