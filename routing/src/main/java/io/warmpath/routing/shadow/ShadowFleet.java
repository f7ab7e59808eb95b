package io.warmpath.routing.shadow;

import io.warmpath.routing.measure.DurationSketch;
import io.warmpath.routing.policy.Policies;
import io.warmpath.routing.policy.RoutingPolicy;
import io.warmpath.routing.policy.RoutingView;
import io.warmpath.schemas.stats.Distribution;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalDouble;

/** One policy at one KV capacity: simulated replicas, as the policy sees them at a request. */
final class ShadowFleet implements RoutingView {

  private static final int NOT_LOOKED_UP = -1;

  /** Sampled blocks that the share of hits reaches back over, at least half of it. */
  private static final long HIT_MEMORY = 1 << 20;

  private final RoutingPolicy policy;
  private final ReplicaSlots slots;
  private final double capacityBlocks;
  private final SampleRate rate;

  private ShadowReplica[] replicas = new ShadowReplica[0];
  private final SampledHits hits;

  /** Null where no measurement could make a decision fall otherwise. */
  private final BatchMeans decisions;

  private final DurationSketch ttft = new DurationSketch();
  private long recentMatched;
  private long recentSampled;

  // The request that is being routed.
  private ShadowRequest request;
  private int[] matched = new int[0];

  /**
   * @param slots the real replicas, shared by all fleets of a model
   * @param capacityBlocks KV blocks of one replica; 0 = unbounded
   */
  ShadowFleet(String policy, ReplicaSlots slots, double capacityBlocks, SampleRate rate) {
    this.policy = Policies.parse(policy);
    this.slots = slots;
    this.capacityBlocks = capacityBlocks;
    this.rate = rate;
    this.hits = new SampledHits(rate);
    this.decisions = this.policy.choiceDependsOnMeasurements() ? new BatchMeans() : null;
  }

  /** Routes a request and plays it. */
  void route(ShadowRequest arriving) {
    request = arriving;
    followSlots();
    Arrays.fill(matched, NOT_LOOKED_UP);
    for (ShadowReplica replica : replicas) {
      replica.open().advance(arriving.timeMicros());
    }
    int chosen = policy.choose(this);
    if (chosen != RoutingPolicy.NONE) {
      send(chosen);
    }
  }

  private void followSlots() {
    int known = replicas.length;
    if (known < slots.size()) {
      replicas = Arrays.copyOf(replicas, slots.size());
      matched = new int[slots.size()];
    }
    for (int slot = 0; slot < replicas.length; slot++) {
      if (slot >= known || replicas[slot].generation() != slots.generation(slot)) {
        replicas[slot] = new ShadowReplica(slots.generation(slot), emptyCache());
      }
    }
  }

  private SampledCache emptyCache() {
    return new SampledCache(capacityBlocks, rate);
  }

  private void send(int chosen) {
    SampledPrompt prompt = request.prompt();
    int found = matched(chosen);
    long uncached = uncachedTokens(chosen);
    hits.add(prompt, found);
    if (decisions != null) {
      decisions.add(prompt.tokens(), uncached);
    }
    remember(prompt.sampledOf(found), prompt.sampled());
    ShadowReplica replica = replicas[chosen];
    replica.cache().touch(prompt);
    long micros =
        replica.serve(
            request, uncached, slots.serviceIntercept(chosen), slots.servicePerToken(chosen));
    if (slots.isLearned()) {
      ttft.add(micros);
    }
  }

  private void remember(int found, int sampled) {
    recentMatched += found;
    recentSampled += sampled;
    if (recentSampled > HIT_MEMORY) {
      recentMatched /= 2;
      recentSampled /= 2;
    }
  }

  private double hitShare() {
    return recentSampled == 0 ? 0 : (double) recentMatched / recentSampled;
  }

  private int matched(int replica) {
    if (matched[replica] == NOT_LOOKED_UP) {
      matched[replica] = replicas[replica].cache().matched(request.prompt());
    }
    return matched[replica];
  }

  /** Hits of the window so far. */
  SampledHits hits() {
    return hits;
  }

  /**
   * Half width of the 95 % interval of the hits, from decisions that fall otherwise: where a policy
   * goes by load, another replica here and there. Empty where too few requests tell of it.
   */
  OptionalDouble decisionsError() {
    return decisions == null ? OptionalDouble.of(0) : decisions.uncachedTokensError();
  }

  /** Predicted times to first token of the window so far; empty where no speed was learned. */
  Distribution ttft() {
    return ttft.isEmpty() ? Distribution.EMPTY : ttft.toDistributionWithSketch();
  }

  /** Sampled blocks that a replica holds at most; 0 = unbounded. */
  int capacity() {
    return rate.scaled(capacityBlocks);
  }

  /** Begins the next window. Caches and queues stay. */
  void beginWindow() {
    hits.clear();
    if (decisions != null) {
      decisions.clear();
    }
    ttft.clear();
  }

  /** In state every fleet has them, so that it has one form. */
  private BatchMeans batches() {
    return decisions == null ? new BatchMeans() : decisions;
  }

  void writeTo(DataOutput out) throws IOException {
    policy.writeTo(out);
    hits.writeTo(out);
    batches().writeTo(out);
    ttft.writeTo(out);
    out.writeLong(recentMatched);
    out.writeLong(recentSampled);
    out.writeInt(replicas.length);
    for (ShadowReplica replica : replicas) {
      replica.writeTo(out);
    }
  }

  void readFrom(DataInput in) throws IOException {
    policy.readFrom(in);
    hits.readFrom(in);
    batches().readFrom(in);
    ttft.merge(DurationSketch.readFrom(in));
    recentMatched = in.readLong();
    recentSampled = in.readLong();
    replicas = new ShadowReplica[in.readInt()];
    matched = new int[replicas.length];
    for (int slot = 0; slot < replicas.length; slot++) {
      replicas[slot] = ShadowReplica.readFrom(in, emptyCache());
    }
  }

  @Override
  public int replicas() {
    return replicas.length;
  }

  @Override
  public boolean available(int replica) {
    return slots.isPresent(replica);
  }

  @Override
  public int promptBlocks() {
    return request.prompt().blocks();
  }

  @Override
  public int cachedBlocks(int replica) {
    return request.prompt().cachedBlocks(matched(replica), hitShare());
  }

  @Override
  public long uncachedTokens(int replica) {
    SampledPrompt prompt = request.prompt();
    return prompt.tokens() - (long) cachedBlocks(replica) * prompt.blockTokens();
  }

  @Override
  public long storedBlocks(int replica) {
    // In sampled blocks: policies only compare it.
    return replicas[replica].cache().size();
  }

  @Override
  public int inFlight(int replica) {
    return replicas[replica].open().count();
  }

  @Override
  public long backlogTokens(int replica) {
    return replicas[replica].open().backlogTokens();
  }

  @Override
  public long outstandingTokens(int replica) {
    return replicas[replica].open().outstandingTokens();
  }

  @Override
  public double weight(int replica) {
    return slots.weight(replica, nowMs());
  }

  @Override
  public double interceptMicros(int replica) {
    return slots.interceptMicros(replica, nowMs());
  }

  @Override
  public double microsPerToken(int replica) {
    return slots.microsPerToken(replica, nowMs());
  }

  @Override
  public double backlogShare() {
    return slots.backlogShare(nowMs());
  }

  @Override
  public long session() {
    return request.session();
  }

  private long nowMs() {
    return request.timeMicros() / 1_000;
  }
}
