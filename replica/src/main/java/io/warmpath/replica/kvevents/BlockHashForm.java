package io.warmpath.replica.kvevents;

import java.util.Locale;

/** What block hashes are on the wire; vLLM's {@code VLLM_KV_EVENTS_USE_INT_BLOCK_HASHES}. */
public enum BlockHashForm {
  /** Unsigned, of 64 bits: the last 8 of the 32 bytes. */
  INT,
  /** All 32 bytes. */
  BYTES;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
