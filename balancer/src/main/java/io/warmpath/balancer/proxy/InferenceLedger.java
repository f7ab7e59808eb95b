package io.warmpath.balancer.proxy;

import io.warmpath.balancer.decision.Decision;
import io.warmpath.balancer.decision.DecisionReason;
import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.decision.RouteQuery;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.sse.TokenUsage;
import io.warmpath.balancer.tokenize.TokenizerWatch;
import io.warmpath.balancer.trace.RequestTrace;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.routing.prefix.BlockSample;
import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.FirstTokenTimes;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.PrefixSample;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.request.RoutingDecision;
import io.warmpath.schemas.request.RoutingFacts;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/** The ledger of a request with a prompt: routed by policy, told in events, measured. */
final class InferenceLedger implements Ledger {

  private static final RoutingFacts NOTHING_KNOWN = new RoutingFacts(0, false, 0, 0, 0, 0, 0, 0, 0);

  private final Recorder recorder;
  private final ModelRouter router;
  private final RetryBudget retries;
  private final TokenizerWatch watch;
  private final RequestTags tags;
  private final PromptBlocks prompt;
  private final long receivedNanos;
  private final long preparedMicros;
  private final Set<Replica> tried = new HashSet<>();
  private final boolean logged;
  private final RequestTrace trace;

  private Decision decision;
  private int attempt = -1;
  private long routedNanos;
  private long dispatchedNanos;
  private long firstByteNanos;
  private long firstTokenNanos;
  private long firstContentNanos;
  private boolean tokenSeen;
  private boolean contentSeen;
  private boolean attemptFailed;
  private boolean finished;

  /**
   * @param trace tells of the request
   * @param receivedNanos when the request was fully received
   * @param preparedMicros time that it took to count and hash the prompt
   */
  InferenceLedger(
      Recorder recorder,
      ServedModel model,
      RequestTags tags,
      PromptBlocks prompt,
      RequestTrace trace,
      long receivedNanos,
      long preparedMicros) {
    this.recorder = recorder;
    this.router = model.router();
    this.retries = model.retries();
    this.watch = model.watch();
    this.tags = tags;
    this.prompt = prompt;
    this.trace = trace;
    this.receivedNanos = receivedNanos;
    this.preparedMicros = preparedMicros;
    this.logged = recorder.decisions().samples();
    retries.request();
  }

  @Override
  public Replica route() {
    RouteQuery query =
        new RouteQuery(
            prompt,
            tags.sessionHash(),
            tags.conversation(),
            tags.maxTokens(),
            tried,
            attempt < 0 ? preparedMicros : 0,
            logged);
    Decision next = router.route(query);
    if (next == null) {
      return null;
    }
    release();
    decision = next;
    attemptFailed = false;
    attempt++;
    tried.add(next.replica());
    routedNanos = recorder.time().nanos();
    DecisionReason reason = DecisionReason.of(next.facts(), attempt);
    recorder
        .metrics()
        .routed(
            router.model(),
            next.policy(),
            next.replica().name(),
            reason.label(),
            next.facts().decisionUs());
    trace.attempt(
        next.replica().name(),
        next.replica().url().getHost(),
        next.replica().port(),
        next.policy(),
        reason.label());
    emit(new Routed(context(), next.facts(), prefix()));
    if (logged) {
      recorder.decisions().add(seq -> record(seq, reason));
    }
    return next.replica();
  }

  @Override
  public boolean canRetry() {
    return router.leastBusy(tried) != null;
  }

  @Override
  public boolean takeRetry() {
    boolean taken = retries.take();
    if (!taken) {
      recorder.metrics().retryRefused(router.model());
    }
    return taken;
  }

  @Override
  public String policy() {
    return decision != null ? decision.policy() : router.policyOf(tags.conversation());
  }

  @Override
  public String traceparent() {
    return trace.traceparent();
  }

  /** The context that events carry: that of the newest attempt, if it is traced. */
  private String eventTraceparent() {
    String traced = trace.traceparent();
    return traced != null ? traced : tags.traceparent();
  }

  @Override
  public void dispatched() {
    dispatchedNanos = recorder.time().nanos();
  }

  @Override
  public void firstByte() {
    firstByteNanos = recorder.time().nanos();
    if (!tags.stream()) {
      decision.open().answering();
    }
  }

  @Override
  public void firstToken() {
    tokenSeen = true;
    firstTokenNanos = recorder.time().nanos();
    decision.open().answering();
    FirstTokenTimes times = times();
    recorder.metrics().firstToken(router.model(), decision.policy(), replica(), times.ttftUs());
    trace.firstToken(times.ttftUs());
    emit(new FirstToken(context(), decision.facts(), times));
  }

  @Override
  public void firstContent() {
    contentSeen = true;
    firstContentNanos = recorder.time().nanos();
  }

  @Override
  public void attemptFailed(String reason) {
    if (attemptFailed) {
      return;
    }
    attemptFailed = true;
    long elapsed = recorder.micros(routedNanos, recorder.time().nanos());
    recorder.metrics().attemptFailed(router.model(), decision.policy(), replica(), reason);
    trace.attemptFailed(reason);
    emit(new AttemptFailed(context(), reason, elapsed));
  }

  @Override
  public void finished(Outcome outcome, int status, TokenUsage usage, long tokenChunks) {
    if (finished) {
      return;
    }
    finished = true;
    try {
      tell(outcome, status, usage, tokenChunks);
    } finally {
      release();
    }
  }

  private void tell(Outcome outcome, int status, TokenUsage usage, long tokenChunks) {
    long now = recorder.time().nanos();
    long e2eMicros = recorder.micros(receivedNanos, now);
    Long told = usage.completionTokens();
    long outputTokens = told == null ? tokenChunks : told;
    if (decision != null && outcome == Outcome.OK) {
      if (outputTokens > 0) {
        decision.open().answered(outputTokens);
      }
      watch.answered(prompt, decision.facts(), usage, router.index().isReporting(replica()));
    }
    recorder.metrics().finished(router.model(), policy(), replica(), outcome, e2eMicros);
    if (tokenSeen && outcome == Outcome.OK && outputTokens > 1) {
      long perToken = recorder.micros(firstTokenNanos, now) / (outputTokens - 1);
      recorder.metrics().perOutputToken(router.model(), decision.policy(), replica(), perToken);
    }
    trace.finished(
        outcome == Outcome.OK ? null : outcome.name().toLowerCase(Locale.ROOT),
        status,
        usage.promptTokens(),
        told);
    emit(
        Finished.of(
            context(),
            facts(usage),
            tokenSeen ? times() : null,
            outcome,
            status,
            usage.cachedTokens(),
            outputTokens,
            e2eMicros,
            Math.max(0, attempt)));
  }

  /**
   * The last attempt is no load of its replica any more. Once all is told of it: with its last load
   * a removed replica is forgotten, and its metrics with it, and a balancer that stops is done.
   */
  private void release() {
    if (decision != null) {
      decision.open().close();
    }
  }

  private RoutingDecision record(long seq, DecisionReason reason) {
    int blocks = prompt.blocks();
    return new RoutingDecision(
        seq,
        recorder.time().epochMillis(),
        tags.requestId(),
        HeaderRules.traceId(eventTraceparent()),
        recorder.router(),
        router.model(),
        tags.tenant(),
        tags.session(),
        decision.policy(),
        attempt,
        decision.weightsEpoch(),
        replica(),
        reason.label(),
        decision.facts().promptTokens(),
        decision.facts().promptTokensExact(),
        blocks,
        blocks == 0 ? null : HexFormat.of().toHexDigits(prompt.hashes()[blocks - 1]),
        decision.view().backlogShare(),
        decision.facts().decisionUs(),
        recorder.decisions().sampleRate(),
        decision.view().candidates());
  }

  private RoutingFacts facts(TokenUsage usage) {
    RoutingFacts known =
        decision == null
            ? NOTHING_KNOWN.withPromptTokens(prompt.tokens(), prompt.exact())
            : decision.facts();
    return usage.promptTokens() == null
        ? known.withPromptTokens(known.promptTokens(), false)
        : known.withPromptTokens(usage.promptTokens(), true);
  }

  private FirstTokenTimes times() {
    return new FirstTokenTimes(
        recorder.micros(receivedNanos, firstTokenNanos),
        recorder.micros(dispatchedNanos, firstTokenNanos),
        recorder.micros(receivedNanos, firstByteNanos),
        contentSeen ? recorder.micros(receivedNanos, firstContentNanos) : null);
  }

  private PrefixSample prefix() {
    double rate = recorder.sampleRate();
    if (rate == 0) {
      return null;
    }
    return new PrefixSample(
        prompt.blockTokens(),
        prompt.blocks(),
        rate,
        BlockSample.of(prompt.hashes(), prompt.blocks(), rate));
  }

  private String replica() {
    return decision == null ? null : decision.replica().name();
  }

  private RequestContext context() {
    return new RequestContext(
        recorder.time().epochMillis(),
        tags.requestId(),
        HeaderRules.traceId(eventTraceparent()),
        recorder.router(),
        recorder.routerStartMs(),
        recorder.events().dropped(),
        router.model(),
        tags.tenant(),
        tags.session(),
        policy(),
        replica(),
        Math.max(0, attempt),
        decision == null ? 0 : decision.weightsEpoch(),
        tags.stream());
  }

  private void emit(RequestEvent event) {
    recorder.events().emit(event, eventTraceparent());
  }
}
