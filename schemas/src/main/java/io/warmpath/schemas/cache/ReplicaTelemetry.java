package io.warmpath.schemas.cache;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.WarmpathRecord;

/**
 * A replica's regular sign of life.
 *
 * @param eventTimeMs when it was taken
 * @param replica replica name
 * @param model model served
 * @param blockTokens tokens a KV block
 * @param running sequences in the batch
 * @param waiting sequences in the queue
 * @param kvBlocksUsed KV blocks that running sequences hold
 * @param kvBlocksTotal KV blocks there are
 * @param gpu the GPU, or null where nothing is known of it
 */
@JsonPropertyOrder("v")
public record ReplicaTelemetry(
    long eventTimeMs,
    String replica,
    String model,
    int blockTokens,
    long running,
    long waiting,
    long kvBlocksUsed,
    long kvBlocksTotal,
    Gpu gpu)
    implements WarmpathRecord {

  /** Where the GPU's figures come from. */
  public enum Source {
    @JsonProperty("jcuda")
    JCUDA,
    @JsonProperty("modelled")
    MODELLED
  }

  /**
   * A GPU.
   *
   * @param name name as its driver or profile gives it
   * @param memoryUsedBytes memory in use
   * @param memoryTotalBytes memory there is
   * @param source where the figures come from
   */
  public record Gpu(String name, long memoryUsedBytes, long memoryTotalBytes, Source source) {
    public Gpu {
      Require.present(name, "gpu.name");
      Require.bytes(memoryUsedBytes, "gpu.memory_used_bytes");
      Require.bytes(memoryTotalBytes, "gpu.memory_total_bytes");
      Require.present(source, "gpu.source");
    }
  }

  public ReplicaTelemetry {
    Require.time(eventTimeMs, "event_time_ms");
    Require.present(replica, "replica");
    Require.present(model, "model");
    Require.notNegative(blockTokens, "block_tokens");
    Require.measure(running, "running");
    Require.measure(waiting, "waiting");
    Require.measure(kvBlocksUsed, "kv_blocks_used");
    Require.measure(kvBlocksTotal, "kv_blocks_total");
  }
}
