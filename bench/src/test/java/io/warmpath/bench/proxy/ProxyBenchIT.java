package io.warmpath.bench.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All proxies under a small load: who is fast does not matter here, what comes out does. */
class ProxyBenchIT {

  private static final int RATE = 100;
  private static final int ROUND_MS = 500;
  private static final int STREAMS = 20;
  private static final int CHUNKS = 5;

  private static ProxyReport report;

  @BeforeAll
  static void measure() throws Exception {
    ProxyPlan plan =
        new ProxyPlan(
            EnumSet.allOf(ProxyKind.class),
            EnumSet.complementOf(EnumSet.of(Measure.MEMORY)),
            2,
            0,
            1,
            ROUND_MS,
            4,
            RATE,
            STREAMS,
            CHUNKS,
            5,
            1,
            List.of("-Xmx256m"));
    report = new ProxyBench(text -> {}).run(plan);
  }

  private static List<ProxyKind> present() {
    return Stream.of(ProxyKind.values()).filter(kind -> !report.missing().contains(kind)).toList();
  }

  private static Stream<Arguments> answers() {
    return present().stream()
        .flatMap(
            kind ->
                Stream.of(arguments(kind, AnswerForm.JSON), arguments(kind, AnswerForm.STREAM)));
  }

  @Test
  void onlyProxiesThatAreNotInstalledAreLeftOut() {
    for (ProxyKind kind : report.missing()) {
      assertEquals(null, Proxies.program(kind), kind.label());
    }
    assertTrue(present().containsAll(List.of(ProxyKind.DIRECT, ProxyKind.BALANCER)));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void everyAnswerPassesAsTheUpstreamSentIt(ProxyKind kind, AnswerForm answer) {
    RequestRow row =
        report.requests().stream()
            .filter(one -> one.contender() == kind && one.answer() == answer)
            .findFirst()
            .orElseThrow();
    assertEquals(0, row.failures());
    assertTrue(row.requests() > 0);
    assertTrue(kind == ProxyKind.DIRECT || row.coreShare() > 0);
  }

  @ParameterizedTest
  @MethodSource("answers")
  void everyRequestOfTheFixedRateIsTimed(ProxyKind kind, AnswerForm answer) {
    Delays time = report.latency(kind, answer);
    assertEquals(RATE * ROUND_MS / 1000, time.count());
    assertTrue(time.p50Us() > 0 && time.p50Us() <= time.p99Us());
  }

  @Test
  void everyChunkIsTimed() {
    for (ProxyKind kind : present()) {
      assertEquals(STREAMS * CHUNKS, report.chunks(kind).count(), kind.label());
      assertTrue(report.chunks(kind).p50Us() > 0, kind.label());
    }
  }

  @Test
  void theBalancerTellsItsEventsAndFollowsWeights() {
    BalancerState state = report.balancer();
    assertTrue(report.isSound(), state.toString());
    // Of each request that it was routed and how it ended.
    assertTrue(state.events() >= 2 * state.requests(), state.toString());
    assertTrue(state.eventsInTopic() > 0, state.toString());
  }

  @Test
  void thePageComparesWithNginxWhereItIsInstalled() {
    String page = String.join("\n", ProxyTables.lines(report));
    present().forEach(kind -> assertTrue(page.contains(kind.label()), page));
    boolean hasNginx = !report.missing().contains(ProxyKind.NGINX);
    assertEquals(hasNginx, page.contains("requests/s, stream: "), page);
  }
}
