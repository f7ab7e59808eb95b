package io.warmpath.balancer.decision;

import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.weights.WeightsInForce;
import io.warmpath.routing.policy.RoutingView;
import java.util.List;

/** One decision as a policy sees it. Used under the lock of the loads, so that they hold still. */
final class DecisionView implements RoutingView {

  private final PromptBlocks prompt;
  private final long session;
  private final boolean[] available;
  private final int[] cachedBlocks;
  private final long[] storedBlocks;
  private final List<Member> members;
  private final WeightsInForce weights;

  DecisionView(
      PromptBlocks prompt,
      long session,
      boolean[] available,
      int[] cachedBlocks,
      long[] storedBlocks,
      List<Member> members,
      WeightsInForce weights) {
    this.prompt = prompt;
    this.session = session;
    this.available = available;
    this.cachedBlocks = cachedBlocks;
    this.storedBlocks = storedBlocks;
    this.members = members;
    this.weights = weights;
  }

  /** Prompt tokens that the replica need not compute. */
  long cachedTokens(int replica) {
    return prompt.cachedTokens(cachedBlocks[replica]);
  }

  @Override
  public int replicas() {
    return available.length;
  }

  @Override
  public boolean available(int replica) {
    return available[replica];
  }

  @Override
  public int promptBlocks() {
    return prompt.blocks();
  }

  @Override
  public int cachedBlocks(int replica) {
    return cachedBlocks[replica];
  }

  @Override
  public long uncachedTokens(int replica) {
    return prompt.tokens() - cachedTokens(replica);
  }

  @Override
  public long storedBlocks(int replica) {
    return storedBlocks[replica];
  }

  @Override
  public int inFlight(int replica) {
    return members.get(replica).load().inFlight();
  }

  @Override
  public long backlogTokens(int replica) {
    return members.get(replica).load().backlogTokens();
  }

  @Override
  public long outstandingTokens(int replica) {
    return members.get(replica).load().outstandingTokens();
  }

  @Override
  public double weight(int replica) {
    return weights.weight(replica);
  }

  @Override
  public double interceptMicros(int replica) {
    return weights.interceptMicros(replica);
  }

  @Override
  public double microsPerToken(int replica) {
    return weights.microsPerToken(replica);
  }

  @Override
  public double backlogShare() {
    return weights.backlogShare();
  }

  @Override
  public long session() {
    return session;
  }
}
