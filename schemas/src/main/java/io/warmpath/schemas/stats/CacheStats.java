package io.warmpath.schemas.stats;

import io.warmpath.schemas.Require;

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
    long storedBlocks, long removedBlocks, long clears, long gaps, long duplicates, long restarts) {

  public CacheStats {
    Require.notNegative(storedBlocks, "cache.stored_blocks");
    Require.notNegative(removedBlocks, "cache.removed_blocks");
    Require.notNegative(clears, "cache.clears");
    Require.notNegative(gaps, "cache.gaps");
    Require.notNegative(duplicates, "cache.duplicates");
    Require.notNegative(restarts, "cache.restarts");
  }
}
