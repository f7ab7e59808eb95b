package io.warmpath.balancer.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.prompt.Prompt;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.prompt.PromptEncoder;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.upstream.EjectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import io.warmpath.balancer.weights.WeightsState;
import io.warmpath.routing.index.IndexBounds;
import io.warmpath.routing.index.PrefixIndex;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.request.RoutingFacts;
import io.warmpath.schemas.weights.ReplicaState;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ModelRouterTest {

  private static final int BLOCK = 16;
  private static final long NOW = 1_000_000;

  private final AtomicLong nanos = new AtomicLong();

  private final List<Replica> replicas =
      IntStream.range(0, 3)
          .mapToObj(
              i ->
                  new Replica(
                      "replica-" + i,
                      URI.create("http://127.0.0.1:" + (9001 + i)),
                      new ReplicaHealth(HealthSettings.DEFAULTS, nanos::get)))
          .toList();
  private final PrefixIndex index = new PrefixIndex(IndexBounds.DEFAULTS);
  private final WeightsState weights = new WeightsState("m");

  @Test
  void sendsAPrefixWhereItWasSentBefore() {
    ModelRouter router = router("prefix_affinity");
    Decision first = router.route(query(prompt(100, 1)));
    Decision other = router.route(query(prompt(100, 2)));
    Decision again = router.route(query(prompt(100, 1)));

    assertEquals(replicas.get(0), first.replica());
    assertEquals(replicas.get(1), other.replica());
    assertEquals(replicas.get(0), again.replica());
    assertEquals(0, first.facts().chosenCachedTokens());
    assertEquals(96, again.facts().chosenCachedTokens());
    assertEquals(96, again.facts().seenTokens());
  }

  @Test
  void accountsForBacklogUntilTheFirstTokenAndForLoadUntilTheEnd() {
    ModelRouter router = router("round_robin");
    Decision open = router.route(query(prompt(100, 1)));
    router.route(query(prompt(100, 2)));
    router.route(query(prompt(100, 3)));
    RoutingFacts waiting = router.route(query(prompt(100, 1))).facts();
    assertEquals(100, waiting.backlogTokens());
    assertEquals(1, waiting.inFlight());
    assertEquals(2, router.inFlight(replicas.get(0)));

    open.open().answering();
    open.open().answering();
    router.route(query(prompt(100, 2)));
    router.route(query(prompt(100, 3)));
    RoutingFacts answering = router.route(query(prompt(100, 4))).facts();
    assertEquals(4, answering.backlogTokens(), "only the second request waits, for its tail");
    assertEquals(2, answering.inFlight());

    open.open().close();
    open.open().close();
    assertEquals(2, router.inFlight(replicas.get(0)));
  }

  @Test
  void saysWhatThePolicyLeftLying() {
    ModelRouter router = router("round_robin");
    router.route(query(prompt(160, 1)));
    RoutingFacts facts = router.route(query(prompt(160, 1))).facts();
    assertEquals(0, facts.chosenCachedTokens());
    assertEquals(159, facts.bestCachedTokens());
    assertEquals(159, facts.bestAdmissibleCachedTokens());
    assertEquals(159, facts.seenTokens());
  }

  @Test
  void countsAHitOnAReplicaThatIsGoneAsNotAdmissible() {
    ModelRouter router = router("round_robin");
    router.route(query(prompt(160, 1)));
    replicas.get(0).health().attempt().connectionRefused();
    RoutingFacts facts = router.route(query(prompt(160, 1))).facts();
    assertEquals(159, facts.bestCachedTokens());
    assertEquals(0, facts.bestAdmissibleCachedTokens());
  }

  @Test
  void believesCacheEventsOverItsOwnHistory() {
    ModelRouter router = router("prefix_affinity");
    PromptBlocks prompt = prompt(160, 1);
    router.route(query(prompt));
    router.apply(batch("replica-0", new CacheEvent.Cleared()));
    router.apply(
        batch(
            "replica-2",
            new CacheEvent.Stored(HashList.of(prompt.hashes()), BLOCK, CacheEvent.GPU, 0)));
    assertEquals(replicas.get(2), router.route(query(prompt)).replica());
  }

  @Test
  void knowsWhatItSentAMomentAgoThoughNoEventHasSaidSo() {
    ModelRouter router = router("prefix_affinity");
    replicas.forEach(replica -> router.apply(batch(replica.name(), new CacheEvent.Cleared())));
    PromptBlocks prompt = prompt(160, 1);
    assertEquals(0, router.route(query(prompt)).facts().bestCachedTokens());
    assertEquals(159, router.route(query(prompt)).facts().chosenCachedTokens());

    nanos.addAndGet(2 * RecentRoutes.LIFE.toNanos());
    assertEquals(0, router.route(query(prompt)).facts().bestCachedTokens());
    router.apply(batch("replica-0", new CacheEvent.Cleared()));
    router.apply(
        batch(
            "replica-1", new CacheEvent.Removed(HashList.of(prompt.hashes()), CacheEvent.GPU, 0)));
    assertEquals(0, router.route(query(prompt)).facts().bestCachedTokens());
  }

  @Test
  void leavesOutReplicasThatWereTriedOrAreGone() {
    ModelRouter router = router("round_robin");
    replicas.get(1).health().attempt().connectionRefused();
    PromptBlocks prompt = prompt(10, 1);
    RouteQuery retry = new RouteQuery(prompt, 0, 0, null, Set.of(replicas.get(0)), 0);
    assertEquals(replicas.get(2), router.route(retry).replica());
    assertEquals(null, router.route(new RouteQuery(prompt, 0, 0, null, Set.copyOf(replicas), 0)));
  }

  @Test
  void followsPublishedSpeeds() {
    ModelRouter router = router("adaptive");
    weights.accept(published(NOW));
    Decision decision = router.route(query(prompt(100, 1)));
    assertEquals(replicas.get(1), decision.replica());
    assertEquals(NOW, decision.weightsEpoch());
  }

  @Test
  void keepsThePolicyWhileTheWeightsAreSilentAndFollowsThemAgain() {
    AtomicLong clock = new AtomicLong(NOW);
    ModelRouter router =
        new ModelRouter(
            "m", replicas, index, weights, List.of(new Arm("adaptive", 1)), clock::get, nanos::get);
    weights.accept(published(NOW));
    clock.set(NOW + 30_001);
    Decision silent = router.route(query(prompt(100, 1)));
    assertEquals("adaptive", silent.policy());
    assertEquals(0, silent.weightsEpoch());
    assertEquals(replicas.get(0), silent.replica(), "all are alike");
    silent.open().close();

    assertFalse(weights.accept(published(NOW)), "an old epoch again");
    assertEquals(0, router.route(query(prompt(100, 2))).weightsEpoch());
    weights.accept(published(NOW + 30_001));
    Decision following = router.route(query(prompt(100, 3)));
    assertEquals(NOW + 30_001, following.weightsEpoch());
    assertEquals(replicas.get(1), following.replica());
  }

  @Test
  void sendsAReplicaThatCameBackItsShareSlowly() {
    ModelRouter router = router("least_loaded");
    ReplicaHealth health = replicas.get(2).health();
    health.checkFailed();
    health.checkFailed();
    route(router, 20);
    assertEquals(0, router.inFlight(replicas.get(2)));

    health.checkPassed();
    route(router, 40);
    int slow = router.inFlight(replicas.get(2));
    assertTrue(slow >= 1 && slow <= 3, "a tenth of a third of 60: " + slow);
    RouteQuery onlyThere =
        new RouteQuery(prompt(10, 1), 0, 0, null, Set.of(replicas.get(0), replicas.get(1)), 0);
    assertEquals(replicas.get(2), router.route(onlyThere).replica());

    nanos.addAndGet(EjectionSettings.DEFAULTS.slowStart().toNanos());
    route(router, 10);
    assertEquals(slow + 1 + 10, router.inFlight(replicas.get(2)));
  }

  private static void route(ModelRouter router, int requests) {
    for (int i = 0; i < requests; i++) {
      router.route(query(prompt(10, i)));
    }
  }

  @Test
  void keepsAConversationInItsArm() {
    ModelRouter router =
        router(List.of(new Arm("round_robin", 0.25), new Arm("least_loaded", 0.75)));
    int first = 0;
    for (int conversation = 0; conversation < 4000; conversation++) {
      String policy = router.policyOf(conversation);
      assertEquals(policy, router.policyOf(conversation));
      first += policy.equals("round_robin") ? 1 : 0;
    }
    assertTrue(first > 900 && first < 1100, "share of the first arm: " + first);
  }

  @Test
  void followsAnotherPolicyFromNowOn() {
    ModelRouter router = router("round_robin");
    router.follow(List.of(new Arm("least_loaded", 1)));
    assertEquals("least_loaded", router.policies());
    assertThrows(IllegalArgumentException.class, () -> router.follow(List.of(new Arm("best", 1))));
    assertEquals("least_loaded", router.route(query(prompt(10, 1))).policy());
  }

  @Test
  void sendsNothingMoreToARemovedReplicaButKnowsWhatItAnswers() {
    ModelRouter router = router("round_robin");
    Replica removed = replicas.get(0);
    Decision open = router.route(query(prompt(100, 1)));
    assertEquals(removed, open.replica());
    router.serveBy(List.of(replicas.get(1), replicas.get(2)));

    for (int i = 0; i < 10; i++) {
      assertNotEquals(removed, router.route(query(prompt(100, i))).replica());
    }
    assertFalse(router.serves(removed));
    assertEquals(1, router.inFlight(removed));
    assertTrue(router.knownReplicas().contains(removed));
    assertEquals(List.of(), router.forgetGone());

    open.open().close();
    assertEquals(0, router.inFlight(removed));
    assertFalse(router.knownReplicas().contains(removed));
    assertEquals(List.of("replica-0"), router.forgetGone());
  }

  @Test
  void forgetsTheCacheOfAReplicaThatWasReplaced() {
    ModelRouter router = router("prefix_affinity");
    PromptBlocks prompt = prompt(160, 1);
    router.route(query(prompt));
    Replica other =
        new Replica(
            "replica-0",
            URI.create("http://127.0.0.1:9999"),
            new ReplicaHealth(HealthSettings.DEFAULTS, () -> 0));
    router.serveBy(List.of(other, replicas.get(1), replicas.get(2)));
    Decision next = router.route(query(prompt));
    assertEquals(0, next.facts().bestCachedTokens());
    assertEquals(159, next.facts().seenTokens());
    assertEquals(1, router.inFlight(replicas.get(0)) - (next.replica() == other ? 1 : 0));
  }

  @Test
  void routesNowhereWithoutReplicas() {
    ModelRouter router = router("adaptive");
    router.serveBy(List.of());
    assertNull(router.route(query(prompt(10, 1))));
    router.serveBy(replicas);
    assertNotNull(router.route(query(prompt(10, 1))));
  }

  @Test
  void routesNowhereWhenAllReplicasAreGone() {
    ModelRouter router = router("adaptive");
    replicas.forEach(replica -> replica.health().attempt().connectionRefused());
    assertNull(router.route(query(prompt(10, 1))));
    assertNull(router.leastBusy(Set.of()));
  }

  @Test
  void boundsTheExpectedAnswerByWhatTheClientAllows() {
    ModelRouter router = router("least_loaded");
    router.route(new RouteQuery(prompt(10, 1), 0, 0, 1L, Set.of(), 0));
    router.route(new RouteQuery(prompt(10, 2), 0, 0, null, Set.of(), 0));
    router.route(new RouteQuery(prompt(10, 3), 0, 0, null, Set.of(), 0));
    assertEquals(replicas.get(0), router.route(query(prompt(10, 4))).replica());
  }

  private ModelRouter router(String policy) {
    return router(List.of(new Arm(policy, 1)));
  }

  private ModelRouter router(List<Arm> arms) {
    return new ModelRouter("m", replicas, index, weights, arms, () -> NOW, nanos::get);
  }

  private static RouteQuery query(PromptBlocks prompt) {
    return new RouteQuery(prompt, 0, 0, null, Set.of(), 0);
  }

  private static PromptBlocks prompt(int tokens, int seed) {
    int[] ids = IntStream.range(0, tokens).map(i -> i * 31 + seed).toArray();
    return new PromptEncoder(TokenizerKind.QUAD, BLOCK).encode(new Prompt.Tokens(List.of(ids)), "");
  }

  private static RoutingWeights published(long epoch) {
    return new RoutingWeights(
        "m",
        epoch,
        epoch + 30_000,
        epoch,
        0.15,
        null,
        List.of(weight("replica-0", 40), weight("replica-1", 10), weight("replica-2", 40)),
        List.of());
  }

  private static ReplicaWeight weight(String replica, double microsPerToken) {
    return new ReplicaWeight(replica, 1, ReplicaState.ACTIVE, 100, microsPerToken, 50, "target");
  }

  private static CacheEventBatch batch(String replica, CacheEvent event) {
    return new CacheEventBatch(
        NOW, replica, "m", CacheEventBatch.Source.ENGINE, 1, 0, 0, null, List.of(event));
  }
}
