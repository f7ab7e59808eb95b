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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Routes the requests of one model. The index is asked outside the lock; only the choice itself,
 * which policies make one at a time, and the accounting of load are inside it. Safe for concurrent
 * use.
 */
public final class ModelRouter {

  private final String model;
  private final PrefixIndex index;
  private final WeightsState weights;
  private final LongSupplier epochMillis;
  private final LongSupplier nanoTime;
  private final ReplicaLoads loads = new ReplicaLoads();
  private final Admissibility admissibility = new Admissibility();

  /** Removed replicas that still answer. Guarded by the loads. */
  private final List<Member> leaving = new ArrayList<>();

  /** Replaced under the lock of the loads, so that a removed replica is not chosen any more. */
  private volatile Fleet fleet = new Fleet(List.of());

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
    this.index = index;
    this.weights = weights;
    this.arms = new Arms(arms);
    this.epochMillis = epochMillis;
    this.nanoTime = nanoTime;
    serveBy(replicas);
  }

  public String model() {
    return model;
  }

  /** The replicas that get requests. */
  public List<Replica> replicas() {
    return fleet.replicas();
  }

  /** These, and those that were removed but still answer; only one of a name. */
  public List<Replica> knownReplicas() {
    Map<String, Replica> known = new LinkedHashMap<>();
    synchronized (loads) {
      replicas().forEach(replica -> known.put(replica.name(), replica));
      for (Member member : leaving) {
        if (member.load().inFlight() > 0) {
          known.putIfAbsent(member.name(), member.replica());
        }
      }
    }
    return List.copyOf(known.values());
  }

  /** Whether a replica gets requests. */
  public boolean serves(Replica replica) {
    return fleet.indexOf(replica) >= 0;
  }

  /**
   * Sends new requests to these replicas only, from now on. What others are answering goes on.
   *
   * @param replicas those that stay as the objects that they are
   */
  public void serveBy(List<Replica> replicas) {
    synchronized (loads) {
      Fleet before = fleet;
      for (Member member : before.members()) {
        if (!replicas.contains(member.replica())) {
          index.removeReplica(member.name());
          leaving.add(member);
        }
      }
      replicas.forEach(replica -> index.addReplica(replica.name()));
      fleet =
          before.of(
              replicas,
              replica -> new Member(replica, new ReplicaLoad(), new RecentRoutes(nanoTime)));
    }
  }

  /** Forgets the removed replicas that have answered all, and gives the names that are gone. */
  public List<String> forgetGone() {
    List<String> gone = new ArrayList<>();
    synchronized (loads) {
      leaving.removeIf(
          member -> {
            boolean idle = member.load().inFlight() == 0;
            if (idle && !fleet.names().contains(member.name())) {
              gone.add(member.name());
            }
            return idle;
          });
    }
    return gone;
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

  /** Open requests on the replica of that name, and on removed ones that had it. */
  public int inFlight(Replica replica) {
    synchronized (loads) {
      return Stream.concat(fleet.members().stream(), leaving.stream())
          .filter(member -> member.name().equals(replica.name()))
          .mapToInt(member -> member.load().inFlight())
          .sum();
    }
  }

  /** All open requests of this model, those on removed replicas too. */
  public int openRequests() {
    int open = 0;
    synchronized (loads) {
      for (Member member : fleet.members()) {
        open += member.load().inFlight();
      }
      for (Member member : leaving) {
        open += member.load().inFlight();
      }
    }
    return open;
  }

  /** Weight of a replica now, mean 1; 0 for one that was removed. */
  public double weight(Replica replica) {
    Fleet now = fleet;
    int number = now.indexOf(replica);
    return number < 0 ? 0 : weights.inForce(epochMillis.getAsLong(), now.names()).weight(number);
  }

  /** Takes cache events of one of this model's replicas. */
  public void apply(CacheEventBatch batch) {
    if (!index.apply(batch)) {
      return;
    }
    for (Member member : fleet.members()) {
      if (member.name().equals(batch.replica())) {
        member.recent().apply(batch);
      }
    }
  }

  /** Any replica that takes requests and was not tried, the least busy one; null if none does. */
  public Replica leastBusy(Set<Replica> excluded) {
    Replica least = null;
    int fewest = Integer.MAX_VALUE;
    for (Member member : fleet.members()) {
      Replica replica = member.replica();
      if (replica.health().available() && !excluded.contains(replica)) {
        int inFlight = loads.inFlight(member.load());
        if (inFlight < fewest) {
          least = replica;
          fewest = inFlight;
        }
      }
    }
    return least;
  }

  /** Decides where a request goes; null if no replica takes it. */
  public Decision route(RouteQuery query) {
    long start = System.nanoTime();
    Fleet now;
    Decision decision;
    do {
      now = fleet;
      decision = now.members().isEmpty() ? null : decide(query, now, start);
    } while (now != fleet && decision == null);
    return decision;
  }

  /** Decides among these replicas; null if none takes the request or they are others by now. */
  private Decision decide(RouteQuery query, Fleet now, long start) {
    PromptBlocks prompt = query.prompt();
    List<Member> members = now.members();
    int n = members.size();
    int[] cachedBlocks = index.cachedBlocks(prompt.hashes(), prompt.blocks(), now.names());
    long[] storedBlocks = new long[n];
    for (int i = 0; i < n; i++) {
      Member member = members.get(i);
      cachedBlocks[i] = orSoon(member, cachedBlocks[i], prompt);
      storedBlocks[i] = index.storedBlocks(member.name());
    }
    long seen = prompt.cachedTokens(index.seenBlocks(prompt.hashes(), prompt.blocks()));
    WeightsInForce inForce = weights.inForce(epochMillis.getAsLong(), now.names());
    Decision decision;
    synchronized (loads) {
      if (fleet != now) {
        return null;
      }
      DecisionView view =
          new DecisionView(
              prompt,
              query.session(),
              available(members, query.excluded(), inForce),
              cachedBlocks,
              storedBlocks,
              members,
              inForce);
      decision = choose(query, now, view, inForce, seen, start);
    }
    if (decision != null) {
      index.routed(prompt.hashes(), prompt.blocks(), decision.replica().name());
      members.get(now.indexOf(decision.replica())).recent().add(prompt.hashes(), prompt.blocks());
    }
    return decision;
  }

  /**
   * Which replicas a request may go to. One that came back a moment ago takes part of its share of
   * the open requests only, whatever the policy: its caches are cold, and a policy that goes by
   * load would send everything there. Where there is no other, it takes all.
   */
  private boolean[] available(List<Member> members, Set<Replica> excluded, WeightsInForce inForce) {
    int n = members.size();
    boolean[] healthy = new boolean[n];
    double[] ramps = new double[n];
    long total = 0;
    double weights = 0;
    boolean allFull = true;
    for (int i = 0; i < n; i++) {
      Replica replica = members.get(i).replica();
      healthy[i] = replica.health().available() && !excluded.contains(replica);
      if (healthy[i]) {
        ramps[i] = replica.health().ramp();
        allFull &= ramps[i] == 1;
        total += members.get(i).load().inFlight();
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
      bounded[i] &=
          ramps[i] == 1
              || members.get(i).load().inFlight() < Math.ceil(ramps[i] * (total + 1) * share);
      any |= bounded[i];
    }
    return any ? bounded : healthy;
  }

  /** What the index knows, and what it will know once the replica's events are here. */
  private int orSoon(Member member, int known, PromptBlocks prompt) {
    return known == prompt.blocks() || !index.isReporting(member.name())
        ? known
        : Math.max(known, member.recent().leading(prompt.hashes(), prompt.blocks()));
  }

  /** Chooses and accounts for the choice, under the lock of the loads. */
  private Decision choose(
      RouteQuery query,
      Fleet now,
      DecisionView view,
      WeightsInForce inForce,
      long seen,
      long start) {
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
    Member member = now.members().get(chosen);
    ExplainedView explained =
        query.explained() ? ExplainedView.of(view, admissible, now.members()) : null;
    OpenRequest open = loads.open(member.load(), view.uncachedTokens(chosen), query.maxTokens());
    return new Decision(member.replica(), policy.name(), inForce.epoch(), facts, open, explained);
  }
}
