package io.warmpath.console.export;

/** What becomes of a replica for which weights were published, and are no longer. */
public enum VanishedReplicas {
  /** It gets no new requests, and stays in the router's configuration. */
  DRAIN,
  /**
   * It gets the mean of the others, as Warmpath's own balancer does: the router finds dead ones.
   */
  MEAN
}
