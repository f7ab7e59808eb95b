package io.warmpath.jobs.testing;

import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.FirstTokenTimes;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.request.RoutingFacts;
import java.util.concurrent.atomic.AtomicLong;

/** Makes the events of one request; whatever a test does not name has a usual value. */
public final class Request {

  private static final AtomicLong CREATED = new AtomicLong();

  private final String id;
  private long timeMs;
  private int attempt;
  private String router = "balancer-0";
  private long lost;
  private String model = "m";
  private String policy = "adaptive";
  private String replica = "replica-0";
  private boolean stream = true;
  private long prompt = 1000;
  private Long cached = 0L;
  private long chosen;
  private long best;
  private long admissible;
  private long seen;
  private long backlog;
  private Long ttftUs = 100_000L;
  private Long upstreamTtftUs = 90_000L;
  private long e2eUs = 500_000;
  private Outcome outcome = Outcome.OK;

  private Request(String id, long timeMs) {
    this.id = id;
    this.timeMs = timeMs;
  }

  /** A request that no other is a copy of. */
  public static Request at(long timeMs) {
    return new Request("req-" + CREATED.incrementAndGet(), timeMs);
  }

  /** A request of a given id. */
  public static Request of(String id, long timeMs) {
    return new Request(id, timeMs);
  }

  public Request attempt(int number) {
    attempt = number;
    return this;
  }

  public Request router(String name) {
    router = name;
    return this;
  }

  public Request lost(long events) {
    lost = events;
    return this;
  }

  public Request model(String name) {
    model = name;
    return this;
  }

  public Request policy(String name) {
    policy = name;
    return this;
  }

  public Request replica(String name) {
    replica = name;
    return this;
  }

  public Request notStreamed() {
    stream = false;
    return noFirstToken();
  }

  public Request noFirstToken() {
    ttftUs = null;
    upstreamTtftUs = null;
    return this;
  }

  public Request prompt(long tokens) {
    prompt = tokens;
    return this;
  }

  public Request cached(Long tokens) {
    cached = tokens;
    return this;
  }

  public Request predicted(
      long chosenTokens, long admissibleTokens, long bestTokens, long seenTokens) {
    chosen = chosenTokens;
    admissible = admissibleTokens;
    best = bestTokens;
    seen = seenTokens;
    return this;
  }

  public Request backlog(long tokens) {
    backlog = tokens;
    return this;
  }

  public Request ttft(long us) {
    ttftUs = us;
    upstreamTtftUs = us * 9 / 10;
    return this;
  }

  public Request e2e(long us) {
    e2eUs = us;
    return this;
  }

  public Request outcome(Outcome value) {
    outcome = value;
    return this;
  }

  public Request rejected() {
    replica = null;
    cached = null;
    return noFirstToken().outcome(Outcome.REJECTED);
  }

  private RequestContext context() {
    return new RequestContext(
        timeMs, id, null, router, 1000, lost, model, null, null, policy, replica, attempt, 0,
        stream);
  }

  private RoutingFacts facts() {
    return new RoutingFacts(prompt, true, chosen, best, admissible, seen, backlog, 0, 10);
  }

  public Routed routed() {
    return new Routed(context(), facts(), null);
  }

  public AttemptFailed attemptFailed() {
    return new AttemptFailed(context(), "connect", 1000);
  }

  public FirstToken firstToken() {
    return new FirstToken(
        context(), facts(), new FirstTokenTimes(ttftUs, upstreamTtftUs, ttftUs, null));
  }

  public Finished finished() {
    return new Finished(
        context(),
        facts(),
        ttftUs,
        upstreamTtftUs,
        ttftUs,
        null,
        outcome,
        200,
        cached,
        20,
        e2eUs,
        0);
  }
}
