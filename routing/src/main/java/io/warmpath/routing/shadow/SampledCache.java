package io.warmpath.routing.shadow;

import io.warmpath.routing.cache.BlockCache;

/**
 * The sampled blocks of a replica's cache, least recently used first out. First blocks of prompts
 * that are not in the sample are held too, but take no room: they leave when a sampled block that
 * was used after them does.
 */
final class SampledCache {

  private final SampleRate rate;
  private final int capacity;
  private final BlockCache blocks;
  private int sampled;

  /**
   * @param capacityBlocks blocks of the whole cache; 0 = unbounded
   */
  SampledCache(double capacityBlocks, SampleRate rate) {
    this.rate = rate;
    this.capacity = rate.scaled(capacityBlocks);
    // First blocks are blocks of the whole cache, so there are never more of them than it holds.
    int whole = capacityBlocks == 0 ? 0 : (int) Math.max(1, Math.round(capacityBlocks));
    this.blocks = new BlockCache(whole, this::left);
  }

  /** Sampled blocks that it holds at most; 0 = unbounded. */
  int capacity() {
    return capacity;
  }

  /** Sampled blocks that it holds. */
  int size() {
    return sampled;
  }

  /** Number of leading known blocks of the prompt that are held. */
  int matched(SampledPrompt prompt) {
    return blocks.leadingChained(prompt.hashes(), prompt.hashes().length);
  }

  /** Makes a prompt's blocks the most recently used. */
  void touch(SampledPrompt prompt) {
    long[] hashes = prompt.hashes();
    for (int i = hashes.length - 1; i >= 0; i--) {
      touch(hashes[i]);
    }
    while (capacity > 0 && sampled > capacity) {
      left(blocks.removeOldest());
    }
  }

  private void touch(long hash) {
    if (rate.keeps(hash) && !blocks.contains(hash)) {
      sampled++;
    }
    blocks.touch(hash);
  }

  private void left(long hash) {
    if (rate.keeps(hash)) {
      sampled--;
    }
  }

  /** All that is held, in the order in which {@link #restore} takes it. */
  long[] blocks() {
    return blocks.idsOldestFirst();
  }

  /** Puts a block back. */
  void restore(long hash) {
    touch(hash);
  }
}
