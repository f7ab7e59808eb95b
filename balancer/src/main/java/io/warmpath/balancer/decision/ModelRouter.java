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
    int[] cachedBlocks = new int[n];
    long[] storedBlocks = new long[n];
    for (int i = 0; i < n; i++) {
      Replica replica = replicas.get(i);
      cachedBlocks[i] = cachedBlocks(i, prompt);
      storedBlocks[i] = index.storedBlocks(replica.name());
    }
    long seen = prompt.cachedTokens(index.seenBlocks(prompt.hashes(), prompt.blocks()));
    WeightsInForce inForce = weights.inForce(epochMillis.getAsLong());
    Decision decision;
    synchronized (loads) {
      DecisionView view =
          new DecisionView(
              prompt,
              query.session(),
              available(query.excluded(), inForce),
              cachedBlocks,
              storedBlocks,
              loads,
              inForce);
      decision = choose(query, view, inForce, seen, start);
    }
    if (decision != null) {
      index.routed(prompt.hashes(), prompt.blocks(), decision.replica().name());
      recent.add(replicas.indexOf(decision.replica()), prompt.hashes(), prompt.blocks());
    }
    return decision;
  }

  /**
   * Which replicas a request may go to. One that came back a moment ago takes part of its share of
   * the open requests only, whatever the policy: its caches are cold, and a policy that goes by
   * load would send everything there. Where there is no other, it takes all.
   */
  private boolean[] available(Set<Replica> excluded, WeightsInForce inForce) {
    int n = replicas.size();
    boolean[] healthy = new boolean[n];
    double[] ramps = new double[n];
    long total = 0;
    double weights = 0;
    boolean allFull = true;
    for (int i = 0; i < n; i++) {
      Replica replica = replicas.get(i);
      healthy[i] = replica.health().available() && !excluded.contains(replica);
      if (healthy[i]) {
        ramps[i] = replica.health().ramp();
        allFull &= ramps[i] == 1;
        total += loads.inFlight(i);
        weights += inForce.weight(i);
      }
    }
    if (allFull) {
      return healthy;
    }
    boolean[] bounded = healthy.clone();
    boolean any = false;
    for (int i = 0; i < n; i++) {
      double share = weights > 0 ? inForce.weight(i) / weights : 1;
      bounded[i] &= ramps[i] == 1 || loads.inFlight(i) < Math.ceil(ramps[i] * (total + 1) * share);
      any |= bounded[i];
    }
    return any ? bounded : healthy;
  }

  /** What the index knows, and what it will know once the replica's events are here. */
  private int cachedBlocks(int replica, PromptBlocks prompt) {
    String name = replicas.get(replica).name();
    int known = index.cachedBlocks(prompt.hashes(), prompt.blocks(), name);
    return known == prompt.blocks() || !index.isReporting(name)
        ? known
        : Math.max(known, recent.leading(replica, prompt.hashes(), prompt.blocks()));
  }

  /** Chooses and accounts for the choice, under the lock of the loads. */
  private Decision choose(
      RouteQuery query, DecisionView view, WeightsInForce inForce, long seen, long start) {
    Arms current = arms;
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
