package io.warmpath.bridge.wire;

import io.warmpath.schemas.cache.CacheEvent;

/**
 * Something that happened to an engine's KV cache. Blocks are named by the engine's own hashes:
 * 64-bit ones as they are, signed or not, longer ones by their last 8 bytes, big-endian.
 */
public sealed interface EngineEvent {

  /** Where blocks lie if the engine does not say. */
  String DEFAULT_MEDIUM = CacheEvent.GPU;

  /**
   * Blocks became reusable.
   *
   * @param hashes the engine's hashes of them, in prompt order
   * @param parent the engine's hash of the block before; null at the start of a prompt
   * @param tokens the tokens of all of them
   * @param blockTokens tokens a block
   * @param medium where they lie, in lower case
   * @param lora name of the LoRA adapter; null for none or an unnamed one
   * @param loraId number of the LoRA adapter as older engines give it; 0 for none
   * @param extraKeys what else went into the hash of each block; null for nothing
   * @param group KV-cache group
   */
  record Stored(
      long[] hashes,
      Long parent,
      int[] tokens,
      int blockTokens,
      String medium,
      String lora,
      long loraId,
      ExtraKeys extraKeys,
      int group)
      implements EngineEvent {}

  /** Blocks left the cache. */
  record Removed(long[] hashes, String medium, int group) implements EngineEvent {}

  /** The whole cache was emptied. */
  record Cleared() implements EngineEvent {}
}
