package io.warmpath.balancer.proxy;

import io.warmpath.balancer.sse.TokenUsage;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.schemas.request.Outcome;

/**
 * Decides where the attempts of one request go, and accounts for what becomes of them. Used by one
 * event loop.
 */
interface Ledger {

  /** The next attempt's replica, none that was tried before; null if there is none. */
  Replica route();

  /** Whether another replica would take the request. */
  boolean canRetry();

  /** Takes a retry from the model's budget; false if none is left. */
  boolean takeRetry();

  /** Name of the policy that routes the request. */
  String policy();

  /** Trace context for the attempt's request; null to leave the client's as it is. */
  default String traceparent() {
    return null;
  }

  /** The attempt's request was sent. */
  void dispatched();

  /** The attempt's answer began. */
  void firstByte();

  /** The answer's first generated token passed. */
  void firstToken();

  /** The answer's first content token passed. */
  void firstContent();

  /** The attempt failed. */
  void attemptFailed(String reason);

  /** The request is over; only the first call counts. */
  void finished(Outcome outcome, int status, TokenUsage usage, long tokenChunks);
}
