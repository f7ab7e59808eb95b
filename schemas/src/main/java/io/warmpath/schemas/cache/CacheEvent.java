package io.warmpath.schemas.cache;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.Require;

/** One thing that happened to a replica's KV cache, tagged by {@code type}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = CacheEvent.Stored.class, name = "stored"),
  @JsonSubTypes.Type(value = CacheEvent.Removed.class, name = "removed"),
  @JsonSubTypes.Type(value = CacheEvent.Cleared.class, name = "cleared"),
  @JsonSubTypes.Type(value = CacheEvent.Prefill.class, name = "prefill"),
  @JsonSubTypes.Type(value = CacheEvent.Counters.class, name = "counters")
})
public sealed interface CacheEvent {

  /** The medium of blocks in GPU memory. */
  String GPU = "gpu";

  /**
   * Blocks became reusable.
   *
   * @param hashesB64 their Warmpath prefix hashes, in prompt order
   * @param blockTokens tokens a block
   * @param medium where they lie, {@link #GPU} or another
   * @param group KV-cache group, 0 for the only one
   */
  record Stored(HashList hashesB64, int blockTokens, String medium, int group)
      implements CacheEvent {
    public Stored {
      Require.present(hashesB64, "hashes_b64");
      Require.notNegative(blockTokens, "block_tokens");
      Require.present(medium, "medium");
      Require.notNegative(group, "group");
    }
  }

  /** Blocks left the cache. */
  record Removed(HashList hashesB64, String medium, int group) implements CacheEvent {
    public Removed {
      Require.present(hashesB64, "hashes_b64");
      Require.present(medium, "medium");
      Require.notNegative(group, "group");
    }
  }

  /** The whole cache was emptied. */
  record Cleared() implements CacheEvent {}

  /**
   * A prompt was computed, as an instrumented replica saw it.
   *
   * @param requestId whose prompt
   * @param policy policy that sent it here, or null
   * @param promptTokens its length
   * @param cachedTokens tokens taken from the cache
   * @param prefillUs start of its first step → its first token
   * @param gpuUs time on the GPU, where it was measured; else null
   */
  record Prefill(
      String requestId,
      String policy,
      long promptTokens,
      long cachedTokens,
      long prefillUs,
      Long gpuUs)
      implements CacheEvent {
    public Prefill {
      Require.present(requestId, "request_id");
      Require.measure(promptTokens, "prompt_tokens");
      Require.measure(cachedTokens, "cached_tokens");
      Require.measure(prefillUs, "prefill_us");
      Require.measure(gpuUs, "gpu_us");
    }
  }

  /**
   * Increments of an engine's own counters, where it has only {@code /metrics}.
   *
   * @param queriedTokens prompt tokens looked up in the interval
   * @param hitTokens of them found
   * @param intervalMs length of the interval
   */
  record Counters(long queriedTokens, long hitTokens, long intervalMs) implements CacheEvent {
    public Counters {
      Require.measure(queriedTokens, "queried_tokens");
      Require.measure(hitTokens, "hit_tokens");
      Require.measure(intervalMs, "interval_ms");
    }
  }
}
