package io.warmpath.balancer.decision;

import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.weights.WeightsInForce;
import io.warmpath.balancer.weights.WeightsState;
import io.warmpath.routing.index.PrefixIndex;
import io.warmpath.routing.policy.Admissibility;
import io.warmpath.routing.policy.RoutingPolicy;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.request.RoutingFacts;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Routes the requests of one model. The index is asked outside the lock; only the choice itself,
 * which policies make one at a time, and the accounting of load are inside it. Safe for concurrent
 * use.
 */
public final class ModelRouter {

  private final String model;
  private final List<Replica> replicas;
  private final List<String> names;
  private final PrefixIndex index;
  private final WeightsState weights;
  private final LongSupplier epochMillis;
  private final ReplicaLoads loads;
  private final RecentRoutes recent;
  private final Admissibility admissibility = new Admissibility();
  private volatile Arms arms;

  /**
   * @param index knows the replicas by their names
   * @param epochMillis wall clock, for the weights' lease
   * @param nanoTime monotonic clock
   */
  public ModelRouter(
      String model,
      List<Replica> replicas,
      PrefixIndex index,
      WeightsState weights,
      List<Arm> arms,
      LongSupplier epochMillis,
      LongSupplier nanoTime) {
    this.model = model;
    this.replicas = List.copyOf(replicas);
    this.names = replicas.stream().map(Replica::name).toList();
    this.index = index;
    this.weights = weights;
    this.arms = new Arms(arms);
    this.epochMillis = epochMillis;
    this.loads = new ReplicaLoads(replicas.size());
    this.recent = new RecentRoutes(replicas.size(), nanoTime);
    replicas.forEach(replica -> index.addReplica(replica.name()));
  }

  public String model() {
    return model;
  }

  public List<Replica> replicas() {
    return replicas;
  }

  public PrefixIndex index() {
    return index;
  }

  public WeightsState weights() {
    return weights;
  }

  /** Names of the policies in force, joined by commas. */
  public String policies() {
    return arms.names();
  }

  /**
   * Routes new requests by other policies from now on, which start afresh.
   *
   * @throws IllegalArgumentException if a policy is unknown; the message lists those that are
   */
  public void follow(List<Arm> policies) {
    arms = new Arms(policies);
  }

  /** Name of the policy that would route a conversation now. */
  public String policyOf(long conversation) {
    return arms.of(conversation).name();
  }

  /** Open requests on a replica of this model. */
  public int inFlight(Replica replica) {
    return loads.inFlight(replicas.indexOf(replica));
  }

  /** Weight of a replica now, mean 1. */
  public double weight(Replica replica) {
    return weights.inForce(epochMillis.getAsLong()).weight(replicas.indexOf(replica));
  }

  /** Takes cache events of one of this model's replicas. */
  public void apply(CacheEventBatch batch) {
    if (!index.apply(batch)) {
      return;
    }
    for (int i = 0; i < replicas.size(); i++) {
      if (replicas.get(i).name().equals(batch.replica())) {
        recent.apply(i, batch);
      }
    }
  }

  /** Any replica that takes requests and was not tried, the least busy one; null if none does. */
  public Replica leastBusy(Set<Replica> excluded) {
    Replica least = null;
    for (Replica replica : replicas) {
      if (replica.health().available()
          && !excluded.contains(replica)
          && (least == null || inFlight(replica) < inFlight(least))) {
        least = replica;
      }
    }
    return least;
  }

  /** Decides where a request goes; null if no replica takes it. */
  public Decision route(RouteQuery query) {
    long start = System.nanoTime();
    PromptBlocks prompt = query.prompt();
    int n = replicas.size();
    boolean[] available = new boolean[n];
    int[] cachedBlocks = index.cachedBlocks(prompt.hashes(), prompt.blocks(), names);
    long[] storedBlocks = new long[n];
    for (int i = 0; i < n; i++) {
      Replica replica = replicas.get(i);
      available[i] = replica.health().available() && !query.excluded().contains(replica);
      cachedBlocks[i] = orSoon(i, cachedBlocks[i], prompt);
      storedBlocks[i] = index.storedBlocks(replica.name());
    }
    long seen = prompt.cachedTokens(index.seenBlocks(prompt.hashes(), prompt.blocks()));
    WeightsInForce inForce = weights.inForce(epochMillis.getAsLong());
    DecisionView view =
        new DecisionView(
            prompt, query.session(), available, cachedBlocks, storedBlocks, loads, inForce);
    Decision decision = choose(query, view, inForce, seen, start);
    if (decision != null) {
      index.routed(prompt.hashes(), prompt.blocks(), decision.replica().name());
      recent.add(replicas.indexOf(decision.replica()), prompt.hashes(), prompt.blocks());
    }
    return decision;
  }

  /** What the index knows, and what it will know once the replica's events are here. */
  private int orSoon(int replica, int known, PromptBlocks prompt) {
    return known == prompt.blocks() || !index.isReporting(names.get(replica))
        ? known
        : Math.max(known, recent.leading(replica, prompt.hashes(), prompt.blocks()));
  }

  private Decision choose(
      RouteQuery query, DecisionView view, WeightsInForce inForce, long seen, long start) {
    Arms current = arms;
    synchronized (loads) {
      RoutingPolicy policy = current.of(query.conversation());
      Admissibility.Set admissible = admissibility.evaluate(view);
      int chosen = policy.choose(view);
      if (chosen == RoutingPolicy.NONE) {
        return null;
      }
      long best = 0;
      long bestAdmissible = view.cachedTokens(chosen);
      for (int i = 0; i < view.replicas(); i++) {
        long cached = view.cachedTokens(i);
        best = Math.max(best, cached);
        if (cached > bestAdmissible && admissible.contains(i)) {
          bestAdmissible = cached;
        }
      }
      long micros = query.preparedMicros() + (System.nanoTime() - start) / 1000;
      RoutingFacts facts =
          new RoutingFacts(
              query.prompt().tokens(),
              query.prompt().exact(),
              view.cachedTokens(chosen),
              best,
              bestAdmissible,
              seen,
              view.backlogTokens(chosen),
              view.inFlight(chosen),
              micros);
      OpenRequest open = loads.open(chosen, view.uncachedTokens(chosen), query.maxTokens());
      return new Decision(replicas.get(chosen), policy.name(), inForce.epoch(), facts, open);
    }
  }
}
