package io.warmpath.lab.simulate;

import io.warmpath.lab.trace.Trace;
import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.policy.RoutingView;
import java.util.Arrays;

/** All replicas of a {@link FifoSimulation}, as the policy sees them at one request's arrival. */
final class FifoFleet implements RoutingView {

  private static final int NOT_LOOKED_UP = -1;

  private final FifoReplica[] replicas;
  private final SpeedLearner speeds;
  private final FifoListener listener;

  // The request that is being routed.
  private int number;
  private long nowMicros;
  private int inputTokens;
  private int outputTokens;
  private int blockTokens;
  private long session;
  private long[] prompt = new long[64];
  private int promptBlocks;
  private final int[] cachedBlocks;

  FifoFleet(FleetOptions options, FifoListener listener) {
    this.listener = listener;
    replicas = new FifoReplica[options.replicas()];
    Arrays.setAll(replicas, i -> new FifoReplica(options.capacityBlocks(), options.speedOf(i)));
    speeds = new SpeedLearner(options.replicas(), listener::published);
    cachedBlocks = new int[options.replicas()];
  }

  /** Advances to the arrival of a request, which {@link #send} then places. */
  void arrive(Trace trace, int request) {
    number = request;
    nowMicros = trace.arrivalMicros(request);
    inputTokens = trace.inputTokens(request);
    outputTokens = trace.outputTokens(request);
    blockTokens = trace.blockTokens();
    session = trace.session(request);
    promptBlocks = trace.fullBlocks(request);
    if (promptBlocks > prompt.length) {
      prompt = new long[2 * promptBlocks];
    }
    for (int i = 0; i < promptBlocks; i++) {
      prompt[i] = trace.blockId(request, i);
    }
    Arrays.fill(cachedBlocks, NOT_LOOKED_UP);
    for (FifoReplica replica : replicas) {
      replica.open().advance(nowMicros);
    }
    speeds.advance(nowMicros);
  }

  /** Sends the request to a replica: counts what it finds there, then touches, then evicts. */
  void send(int index, RunTally tally) {
    FifoReplica replica = replicas[index];
    int hitBlocks = cachedBlocks(index);
    long hitTokens = (long) hitBlocks * blockTokens;
    long missTokens = inputTokens - hitTokens;
    long backlog = replica.open().backlogTokens();
    int inFlight = replica.open().count();
    long load = FitBins.load(missTokens, backlog, speeds.fittedBacklogShare());
    replica.cache().touch(prompt, promptBlocks);
    long firstTokenMicros = replica.serve(nowMicros, missTokens);
    long finishedMicros = replica.decode(firstTokenMicros, missTokens, outputTokens);
    tally.routed(index, inputTokens, hitTokens, promptBlocks, hitBlocks);
    tally.firstToken(firstTokenMicros - nowMicros);
    speeds.firstToken(
        new FirstTokenSample(
            index, firstTokenMicros, inputTokens, missTokens, load, firstTokenMicros - nowMicros));
    listener.served(
        new FifoRequest(
            number,
            index,
            nowMicros,
            hitTokens,
            backlog,
            inFlight,
            firstTokenMicros,
            finishedMicros));
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
    return promptBlocks;
  }

  @Override
  public int cachedBlocks(int replica) {
    if (cachedBlocks[replica] == NOT_LOOKED_UP) {
      cachedBlocks[replica] = replicas[replica].cache().leading(prompt, promptBlocks);
    }
    return cachedBlocks[replica];
  }

  @Override
  public long uncachedTokens(int replica) {
    return inputTokens - (long) cachedBlocks(replica) * blockTokens;
  }

  @Override
  public long storedBlocks(int replica) {
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
    return session;
  }
}
