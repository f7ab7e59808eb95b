package io.warmpath.lab.simulate;

import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.policy.RoutingPolicy;
import io.warmpath.routing.policy.RoutingView;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Replicas with the modelled engine in virtual time, behind a balancer that knows their caches
 * exactly. The caller owns time: it alternates between {@link #runNextEvent} and {@link #route}, in
 * order of time.
 */
public final class BatchedFleet implements RoutingView {

  private static final int NOT_LOOKED_UP = -1;

  private final BatchedReplica[] replicas;

  /** When each one's next event is: looked through at every event, so an array of its own. */
  private final long[] nextMicros;

  private final SpeedLearner speeds;
  private final int blockTokens;

  // The request that is being routed.
  private FleetRequest request;
  private final int[] cachedBlocks;

  /**
   * A fleet with empty caches.
   *
   * @param profile engine, block size and memory of each replica
   * @param options number and speeds of replicas; its capacity is not used
   */
  public BatchedFleet(EngineProfile profile, FleetOptions options) {
    speeds = new SpeedLearner(options.replicas(), published -> {});
    replicas = new BatchedReplica[options.replicas()];
    Arrays.setAll(replicas, i -> new BatchedReplica(i, profile, options.speedOf(i), speeds));
    nextMicros = new long[options.replicas()];
    Arrays.setAll(nextMicros, i -> replicas[i].nextEventMicros());
    blockTokens = profile.blockTokens();
    cachedBlocks = new int[options.replicas()];
  }

  /**
   * Routes a request that arrives now.
   *
   * @param onFinished told when its last token is there
   * @throws IllegalArgumentException if no replica's memory could hold it
   */
  public ServedRequest route(
      RoutingPolicy policy,
      FleetRequest arriving,
      long nowMicros,
      Consumer<ServedRequest> onFinished) {
    request = arriving;
    Arrays.fill(cachedBlocks, NOT_LOOKED_UP);
    speeds.advance(nowMicros);
    int chosen = policy.choose(this);
    if (chosen == RoutingPolicy.NONE) {
      throw new IllegalStateException(policy.name() + " chose none of the available replicas");
    }
    BatchedReplica replica = replicas[chosen];
    long uncached = uncachedTokens(chosen);
    long load = FitBins.load(uncached, replica.backlogTokens(), speeds.fittedBacklogShare());
    ServedRequest served =
        new ServedRequest(replica, arriving, nowMicros, uncached, load, onFinished);
    replica.submit(served);
    nextMicros[chosen] = replica.nextEventMicros();
    return served;
  }

  /** Time of the next event in any engine; {@link Long#MAX_VALUE} while all are idle. */
  public long nextEventMicros() {
    return nextMicros[next()];
  }

  /** Runs the next event; requests may finish in it. */
  public void runNextEvent() {
    int replica = next();
    replicas[replica].runNextEvent();
    // Requests that finished may have led to new ones here, and to others elsewhere.
    nextMicros[replica] = replicas[replica].nextEventMicros();
  }

  private int next() {
    int next = 0;
    for (int i = 1; i < nextMicros.length; i++) {
      if (nextMicros[i] < nextMicros[next]) {
        next = i;
      }
    }
    return next;
  }

  @Override
  public int replicas() {
    return replicas.length;
  }

  @Override
  public boolean available(int replica) {
    return true;
  }

  @Override
  public int promptBlocks() {
    return Math.min(request.promptTokens() / blockTokens, request.blockHashes().length);
  }

  @Override
  public int cachedBlocks(int replica) {
    if (cachedBlocks[replica] == NOT_LOOKED_UP) {
      cachedBlocks[replica] = replicas[replica].cachedBlocks(request.blockHashes(), promptBlocks());
    }
    return cachedBlocks[replica];
  }

  /** The last prompt token is always computed, and only full blocks are reused. */
  @Override
  public long uncachedTokens(int replica) {
    int usable = Math.min(cachedBlocks(replica), (request.promptTokens() - 1) / blockTokens);
    return request.promptTokens() - (long) usable * blockTokens;
  }

  @Override
  public long storedBlocks(int replica) {
    return replicas[replica].storedBlocks();
  }

  @Override
  public int inFlight(int replica) {
    return replicas[replica].inFlight();
  }

  @Override
  public long backlogTokens(int replica) {
    return replicas[replica].backlogTokens();
  }

  @Override
  public long outstandingTokens(int replica) {
    return replicas[replica].outstandingTokens();
  }

  @Override
  public double weight(int replica) {
    return speeds.weight(replica);
  }

  @Override
  public double interceptMicros(int replica) {
    return speeds.interceptMicros(replica);
  }

  @Override
  public double microsPerToken(int replica) {
    return speeds.microsPerToken(replica);
  }

  @Override
  public double backlogShare() {
    return speeds.backlogShare();
  }

  @Override
  public long session() {
    return request.session();
  }
}
