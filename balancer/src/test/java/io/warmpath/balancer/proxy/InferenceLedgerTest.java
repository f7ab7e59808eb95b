package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.decision.DecisionLog;
import io.warmpath.balancer.decision.DecisionLogSettings;
import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.events.EventSink;
import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.metrics.RequestMetrics;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.sse.TokenUsage;
import io.warmpath.balancer.tokenize.TokenizerWatch;
import io.warmpath.balancer.trace.RequestTrace;
import io.warmpath.balancer.trace.Tracing;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import io.warmpath.balancer.weights.WeightsState;
import io.warmpath.routing.index.IndexBounds;
import io.warmpath.routing.index.PrefixIndex;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestEvent;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A request is open until all is told of it, however it ends. */
class InferenceLedgerTest {

  private static final String MODEL = "m";
  private static final TokenUsage USAGE = new TokenUsage(10L, 5L, 0L);

  private final RequestMetrics metrics = new RequestMetrics();
  private final List<String> told = new ArrayList<>();
  private final ModelRouter router =
      new ModelRouter(
          MODEL,
          List.of(replica("r0"), replica("r1")),
          new PrefixIndex(IndexBounds.DEFAULTS),
          new WeightsState(MODEL),
          List.of(new Arm("round_robin", 1)),
          System::currentTimeMillis,
          System::nanoTime);
  private final InferenceLedger ledger = ledger();

  @Test
  void aRemovedReplicaThatAnswersLeavesNoSeriesBehind() {
    Replica chosen = ledger.route();
    router.serveBy(List.of(replica("r2")));
    ledger.dispatched();
    ledger.firstByte();
    ledger.firstToken();
    ledger.finished(Outcome.OK, 200, USAGE, 5);
    assertForgotten(chosen);
  }

  @Test
  void aRemovedReplicaThatFailsLeavesNoSeriesBehind() {
    Replica chosen = ledger.route();
    router.serveBy(List.of(replica("r2")));
    ledger.dispatched();
    ledger.attemptFailed("connection_lost");
    ledger.finished(Outcome.UPSTREAM_ERROR, 502, TokenUsage.UNKNOWN, 0);
    assertForgotten(chosen);
  }

  /** Who stops waits for open requests, then delivers what was told. */
  @Test
  void aRequestIsOpenUntilItsLastEvent() {
    ledger.route();
    ledger.attemptFailed("status_503");
    ledger.route();
    assertEquals(1, router.openRequests());
    ledger.dispatched();
    ledger.finished(Outcome.OK, 200, USAGE, 5);
    assertEquals(
        List.of("Routed, 1 open", "AttemptFailed, 1 open", "Routed, 1 open", "Finished, 1 open"),
        told);
    assertEquals(0, router.openRequests());
  }

  private void assertForgotten(Replica replica) {
    assertTrue(page().contains("\"" + replica.name() + "\""), page());
    forgetGone();
    assertFalse(page().contains("\"" + replica.name() + "\""), page());
  }

  private String page() {
    PrometheusText text = new PrometheusText();
    metrics.writeTo(text);
    return text.toString();
  }

  /** The balancer's upkeep. It may come at any moment; here it does whenever time is looked at. */
  private void forgetGone() {
    router.forgetGone().forEach(name -> metrics.forget(MODEL, name));
  }

  private long nanos() {
    forgetGone();
    return System.nanoTime();
  }

  private InferenceLedger ledger() {
    ServedModel model =
        new ServedModel(
            router,
            null,
            null,
            new TokenizerWatch(MODEL, this::nanos),
            new RetryBudget(RetryBudget.Settings.DEFAULTS, System::nanoTime));
    Recorder recorder =
        new Recorder(
            "b",
            0,
            1,
            0,
            new Told(),
            metrics,
            new DecisionLog(DecisionLogSettings.DEFAULTS),
            Tracing.OFF,
            new UpkeepClock());
    RequestTags tags = new RequestTags("id", null, null, null, 0, true, null);
    PromptBlocks prompt = new PromptBlocks(new long[0], 16, 10, true);
    return new InferenceLedger(recorder, model, tags, prompt, RequestTrace.NONE, nanos(), 0);
  }

  private static Replica replica(String name) {
    return new Replica(
        name,
        URI.create("http://127.0.0.1:1"),
        new ReplicaHealth(HealthSettings.DEFAULTS, System::nanoTime));
  }

  private final class UpkeepClock implements TimeSource {

    @Override
    public long nanos() {
      return InferenceLedgerTest.this.nanos();
    }

    @Override
    public long epochMillis() {
      return System.currentTimeMillis();
    }
  }

  /** What events there were, and how many requests were open then. */
  private final class Told implements EventSink {

    @Override
    public void emit(RequestEvent event, String traceparent) {
      told.add(event.getClass().getSimpleName() + ", " + router.openRequests() + " open");
    }

    @Override
    public long emitted() {
      return told.size();
    }

    @Override
    public long dropped() {
      return 0;
    }

    @Override
    public int buffered() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
