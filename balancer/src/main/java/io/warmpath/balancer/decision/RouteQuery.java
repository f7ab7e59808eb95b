package io.warmpath.balancer.decision;

import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.upstream.Replica;
import java.util.Set;

/**
 * What a decision is asked for.
 *
 * @param prompt the prompt's blocks
 * @param session hash of the session or conversation, 0 for none
 * @param conversation decides the arm: the session's hash, or something of the request's own
 * @param maxTokens bound on the answer, or null
 * @param excluded replicas that were tried already
 * @param preparedMicros time that it took to count and hash the prompt; part of the decision
 * @param explained whether the decision is to say what every replica looked like
 */
public record RouteQuery(
    PromptBlocks prompt,
    long session,
    long conversation,
    Long maxTokens,
    Set<Replica> excluded,
    long preparedMicros,
    boolean explained) {

  /** A query whose decision need not be explained. */
  public RouteQuery(
      PromptBlocks prompt,
      long session,
      long conversation,
      Long maxTokens,
      Set<Replica> excluded,
      long preparedMicros) {
    this(prompt, session, conversation, maxTokens, excluded, preparedMicros, false);
  }
}
