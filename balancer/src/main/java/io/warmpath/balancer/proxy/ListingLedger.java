package io.warmpath.balancer.proxy;

import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.sse.TokenUsage;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.schemas.request.Outcome;
import java.util.HashSet;
import java.util.Set;

/** The ledger of a request without a prompt: to the least busy replica, without a trace. */
final class ListingLedger implements Ledger {

  private final ModelRouter router;
  private final RetryBudget retries;
  private final Set<Replica> tried = new HashSet<>();

  ListingLedger(ServedModel model) {
    this.router = model.router();
    this.retries = model.retries();
    retries.request();
  }

  @Override
  public Replica route() {
    Replica replica = router.leastBusy(tried);
    if (replica != null) {
      tried.add(replica);
    }
    return replica;
  }

  @Override
  public boolean canRetry() {
    return router.leastBusy(tried) != null;
  }

  @Override
  public boolean takeRetry() {
    return retries.take();
  }

  @Override
  public String policy() {
    return router.policies();
  }

  @Override
  public void dispatched() {}

  @Override
  public void firstByte() {}

  @Override
  public void firstToken() {}

  @Override
  public void firstContent() {}

  @Override
  public void attemptFailed(String reason) {}

  @Override
  public void finished(Outcome outcome, int status, TokenUsage usage, long tokenChunks) {}
}
