package io.warmpath.balancer.proxy;

/** What becomes of a request for a model that is not configured. */
public enum UnknownModel {
  /** It gets 404, as OpenAI answers. */
  REFUSE,
  /** It goes to the replicas of the first model and is counted as that model's. */
  FIRST
}
