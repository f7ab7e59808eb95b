package io.warmpath.routing.shadow;

import io.warmpath.routing.cache.BlockCache;
import io.warmpath.routing.control.ControlConfig;
import io.warmpath.routing.policy.Policies;
import io.warmpath.routing.policy.RoutingPolicy;
import io.warmpath.routing.policy.RoutingView;
import java.util.ArrayList;
import java.util.List;

/**
 * The same replicas, simulated with every block and with nothing but lists: what a shadow is
 * compared with.
 */
final class WholeFleet implements RoutingView {

  private record Open(long firstTokenMicros, long endMicros, long uncached, long output) {}

  private final RoutingPolicy policy;
  private final List<BlockCache> caches = new ArrayList<>();
  private final List<List<Open>> open = new ArrayList<>();
  private final long[] freeMicros;
  private Conversations.Turn turn;

  long promptTokens;
  long hitTokens;
  long ttftMicros;

  private WholeFleet(String policy, int replicas, int capacityBlocks) {
    this.policy = Policies.parse(policy);
    this.freeMicros = new long[replicas];
    for (int i = 0; i < replicas; i++) {
      caches.add(new BlockCache(capacityBlocks));
      open.add(new ArrayList<>());
    }
  }

  static WholeFleet run(
      List<Conversations.Turn> turns, String policy, int replicas, int capacityBlocks) {
    WholeFleet fleet = new WholeFleet(policy, replicas, capacityBlocks);
    turns.forEach(fleet::route);
    return fleet;
  }

  double hitRate() {
    return (double) hitTokens / promptTokens;
  }

  private void route(Conversations.Turn arriving) {
    turn = arriving;
    long now = turn.timeMicros();
    open.forEach(requests -> requests.removeIf(request -> request.endMicros <= now));
    int chosen = policy.choose(this);
    long uncached = uncachedTokens(chosen);
    promptTokens += turn.tokens();
    hitTokens += turn.tokens() - uncached;
    caches.get(chosen).touch(turn.blocks(), turn.blocks().length);
    long firstToken = Math.max(now, freeMicros[chosen]) + 50 * uncached;
    freeMicros[chosen] = firstToken;
    ttftMicros += firstToken - now;
    long end = firstToken + 25_000L * turn.outputTokens();
    open.get(chosen).add(new Open(firstToken, end, uncached, turn.outputTokens()));
  }

  @Override
  public int replicas() {
    return caches.size();
  }

  @Override
  public boolean available(int replica) {
    return true;
  }

  @Override
  public int promptBlocks() {
    return turn.blocks().length;
  }

  @Override
  public int cachedBlocks(int replica) {
    return caches.get(replica).leading(turn.blocks(), turn.blocks().length);
  }

  @Override
  public long uncachedTokens(int replica) {
    return turn.tokens() - (long) cachedBlocks(replica) * Conversations.BLOCK_TOKENS;
  }

  @Override
  public long storedBlocks(int replica) {
    return caches.get(replica).size();
  }

  @Override
  public int inFlight(int replica) {
    return open.get(replica).size();
  }

  @Override
  public long backlogTokens(int replica) {
    return open.get(replica).stream()
        .filter(request -> request.firstTokenMicros > turn.timeMicros())
        .mapToLong(Open::uncached)
        .sum();
  }

  @Override
  public long outstandingTokens(int replica) {
    return open.get(replica).stream().mapToLong(each -> each.uncached + each.output).sum();
  }

  @Override
  public double weight(int replica) {
    return 1;
  }

  @Override
  public double interceptMicros(int replica) {
    return 0;
  }

  @Override
  public double microsPerToken(int replica) {
    return 1;
  }

  @Override
  public double backlogShare() {
    // Nothing is published, and a balancer goes by the default then.
    return ControlConfig.DEFAULT_BACKLOG_SHARE;
  }

  @Override
  public long session() {
    return turn.session();
  }
}
