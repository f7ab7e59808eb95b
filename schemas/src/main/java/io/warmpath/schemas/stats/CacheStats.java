package io.warmpath.schemas.stats;

/**
 * What the cache events of a window say.
 *
 * @param storedBlocks blocks that became reusable
 * @param removedBlocks blocks that left
 * @param clears times that the whole cache was emptied
 * @param gaps batches missing from a sequence
 * @param duplicates batches seen again
 * @param restarts new incarnations under the same name
 */
public record CacheStats(
    long storedBlocks,
    long removedBlocks,
    long clears,
    long gaps,
    long duplicates,
    long restarts) {}
