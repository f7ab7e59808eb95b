package io.warmpath.lab.shadow;

import io.warmpath.lab.simulate.FifoListener;
import io.warmpath.lab.simulate.FifoRequest;
import io.warmpath.lab.simulate.FifoSimulation;
import io.warmpath.lab.simulate.FleetOptions;
import io.warmpath.lab.trace.Trace;
import io.warmpath.routing.prefix.BlockSample;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.FirstTokenTimes;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.PrefixSample;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.request.RoutingFacts;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The events that a balancer would have written of a simulated run, and the weights that were in
 * force. Ids of a trace's blocks are small numbers; in events they are scattered as hashes are.
 */
final class RecordedRun implements FifoListener {

  static final String MODEL = "simulated";

  private static final String ROUTER = "balancer-0";
  private static final long DECISION_MICROS = 10;

  /** As the jobs take it, see {@code JsonForm.WEIGHTS}. */
  private static final long PUBLISHED_AFTER_MS = 2_000;

  private final Trace trace;
  private final String policy;
  private final double sampleRate;
  private final long startMs;
  private final List<RequestEvent> events = new ArrayList<>();
  private final List<RoutingWeights> weights = new ArrayList<>();

  private RecordedRun(Trace trace, String policy, double sampleRate, long startMs) {
    this.trace = trace;
    this.policy = policy;
    this.sampleRate = sampleRate;
    this.startMs = startMs;
  }

  /** Plays a trace and writes down what happens, with so much of the prompts. */
  static RecordedRun of(Trace trace, FleetOptions fleet, String policy, double sampleRate) {
    return of(trace, fleet, policy, sampleRate, FifoSimulation.START_MS);
  }

  /**
   * The same, where the trace begins at another time.
   *
   * @param startMs epoch milliseconds
   */
  static RecordedRun of(
      Trace trace, FleetOptions fleet, String policy, double sampleRate, long startMs) {
    RecordedRun run = new RecordedRun(trace, policy, sampleRate, startMs);
    FifoSimulation.run(trace, fleet, policy, run);
    run.events.sort(Comparator.comparingLong(event -> event.context().eventTimeMs()));
    return run;
  }

  /** All events in order of their time; those of one moment as the balancer wrote them. */
  List<RequestEvent> events() {
    return events;
  }

  /** All weights that were published, in order. */
  List<RoutingWeights> weights() {
    return weights;
  }

  /** When weights are in force, epoch milliseconds. */
  static long timeMs(RoutingWeights weights) {
    return weights.windowEndMs() + PUBLISHED_AFTER_MS;
  }

  /** An event of a later time that tells shadows nothing but how late it is. */
  RequestEvent tick(long timeMs) {
    RoutingFacts facts = new RoutingFacts(1, true, 0, 0, 0, 0, 0, 0, DECISION_MICROS);
    RequestContext context = context(timeMs, "tick", Trace.NO_SESSION, 0);
    return new FirstToken(context, facts, new FirstTokenTimes(0, 0, 0, null));
  }

  @Override
  public void published(RoutingWeights published) {
    long later = startMs - FifoSimulation.START_MS;
    weights.add(
        new RoutingWeights(
            published.model(),
            published.epoch() + later,
            published.validUntilMs() + later,
            published.windowEndMs() + later,
            published.backlogShare(),
            published.frozen(),
            published.replicas(),
            published.policies()));
  }

  @Override
  public void served(FifoRequest request) {
    int number = request.number();
    int prompt = trace.inputTokens(number);
    long cached = request.cachedTokens();
    RoutingFacts facts =
        new RoutingFacts(
            prompt,
            true,
            cached,
            cached,
            cached,
            cached,
            request.backlogTokens(),
            request.inFlight(),
            DECISION_MICROS);
    long ttftUs = request.firstTokenMicros() - request.arrivalMicros();
    FirstTokenTimes times = new FirstTokenTimes(ttftUs, ttftUs, ttftUs, ttftUs);
    events.add(new Routed(context(request, request.arrivalMicros()), facts, prefix(number)));
    events.add(new FirstToken(context(request, request.firstTokenMicros()), facts, times));
    events.add(
        Finished.of(
            context(request, request.finishedMicros()),
            facts,
            times,
            Outcome.OK,
            200,
            cached,
            trace.outputTokens(number),
            request.finishedMicros() - request.arrivalMicros(),
            0));
  }

  private RequestContext context(FifoRequest request, long micros) {
    int number = request.number();
    return context(
        startMs + micros / 1_000, "r" + number, trace.session(number), request.replica());
  }

  private RequestContext context(long timeMs, String requestId, long session, int replica) {
    return new RequestContext(
        timeMs,
        requestId,
        null,
        ROUTER,
        startMs,
        0,
        MODEL,
        null,
        session == Trace.NO_SESSION ? null : "s" + session,
        policy,
        "replica-%04d".formatted(replica),
        0,
        0,
        true);
  }

  private PrefixSample prefix(int number) {
    int blocks = trace.fullBlocks(number);
    long[] hashes = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      hashes[i] = scattered(trace.blockId(number, i));
    }
    return new PrefixSample(
        trace.blockTokens(), blocks, sampleRate, BlockSample.of(hashes, blocks, sampleRate));
  }

  /** A one-to-one mixing of the bits (Stafford's variant 13, as in {@code SplittableRandom}). */
  private static long scattered(long id) {
    long mixed = id + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
