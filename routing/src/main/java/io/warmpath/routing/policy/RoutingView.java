package io.warmpath.routing.policy;

/**
 * One request and the replicas it may go to, as the router sees them at the moment of the decision.
 * Replicas are numbered 0 to {@link #replicas()} − 1. Answers hold still while one decision is
 * made.
 */
public interface RoutingView {

  /** Number of replicas, available or not. */
  int replicas();

  /** Whether a replica may be chosen at all: neither ejected nor draining. */
  boolean available(int replica);

  /** Full blocks of this request's prompt. */
  int promptBlocks();

  /** Leading blocks of the prompt that the replica is known to hold. */
  int cachedBlocks(int replica);

  /** Prompt tokens that the replica would have to compute. */
  long uncachedTokens(int replica);

  /** Blocks in the replica's cache, of any prompt. */
  long storedBlocks(int replica);

  /** Open requests on the replica. */
  int inFlight(int replica);

  /** Predicted uncached tokens of open requests on the replica that have no first token yet. */
  long backlogTokens(int replica);

  /** Uncached prompt tokens plus output tokens of open requests on the replica. */
  long outstandingTokens(int replica);

  /** Published weight, mean 1; all equal without published weights. */
  double weight(int replica);

  /** Learned time to first token that no token explains, µs. */
  double interceptMicros(int replica);

  /** Learned time a token to compute, µs; all equal without published weights. */
  double microsPerToken(int replica);

  /** Share of a replica's backlog that a new request waits for. */
  double backlogShare();

  /** 64-bit hash of the session or conversation; 0 where there is none. */
  long session();
}
