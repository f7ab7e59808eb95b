package io.warmpath.balancer.sse;

/** What becomes of the chunk that holds nothing but the usage. */
public enum UsageChunk {
  /** The client asked for it. */
  FORWARD,
  /** Only the balancer asked for it. */
  WITHHOLD
}
