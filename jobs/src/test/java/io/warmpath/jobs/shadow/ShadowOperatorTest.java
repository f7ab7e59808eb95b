package io.warmpath.jobs.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.config.ShadowJobConfig;
import io.warmpath.jobs.testing.Turns;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

class ShadowOperatorTest {

  private static final long T = 1_796_083_200_000L;

  private static final long GONE_MS = ModelShadows.FORGET_AFTER_MS + ModelShadows.FORGET_MARGIN_MS;

  private static final ShadowJobConfig CONFIG =
      ShadowJobConfig.parse(
          "--bootstrap-servers", "none:0", "--capacity-blocks", "50", "--sample-rate", "1");

  @Test
  void writesARowForEachPolicyWhenTheWatermarkPassesTheWindow() throws Exception {
    try (var harness = harness()) {
      harness.open();
      harness.processElement1(record(0));
      harness.processBothWatermarks(mark(T + 59_998));
      assertEquals(List.of(), harness.extractOutputValues());
      harness.processBothWatermarks(mark(T + 59_999));
      assertEquals(
          CONFIG.policies(),
          harness.extractOutputValues().stream().map(ShadowStats::policy).toList());
    }
  }

  @Test
  void theOrderOfArrivalChangesNothing() throws Exception {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      order.add(i);
    }
    List<ShadowStats> expected = rows(order, order.size());
    Collections.shuffle(order, new Random(1));
    assertEquals(expected, rows(order, order.size()));
  }

  @Test
  void aRestartChangesNothing() throws Exception {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      order.add(i);
    }
    assertEquals(rows(order, order.size()), rows(order, 90));
  }

  @Test
  void noMoreEventsWaitThanAreAllowed() throws Exception {
    ShadowJobConfig config =
        ShadowJobConfig.parse(
            "--bootstrap-servers", "none:0", "--capacity-blocks", "50", "--max-buffered", "2");
    try (var harness = new ShadowHarness(config)) {
      harness.open();
      harness.processElement1(routed(0, "m", T));
      harness.processElement1(routed(1, "m", T + 60_000));
      harness.processElement1(routed(2, "m", T + 60_001));
      assertEquals(List.of(), harness.extractOutputValues());
      // The oldest is played without a watermark, and then the next one, which ends its window.
      harness.processElement1(routed(3, "m", T + 60_002));
      assertEquals(
          List.of(1L, 1L, 1L, 1L),
          harness.extractOutputValues().stream().map(ShadowStats::requests).toList());
    }
  }

  @Test
  void aModelThatVanishedLeavesNoStateAndMakesRoom() throws Exception {
    OperatorSubtaskState state;
    try (var harness = harness()) {
      harness.open();
      for (int model = 0; model < ShadowOperator.MAX_MODELS; model++) {
        harness.processElement1(routed(0, "gone-" + model, T));
      }
      harness.processElement1(routed(0, "one-too-many", T));
      state = harness.snapshot(1, 0);
    }
    try (var harness = harness()) {
      harness.initializeState(state);
      harness.open();
      assertEquals(ShadowOperator.MAX_MODELS, harness.numKeyedStateEntries());
      harness.processBothWatermarks(mark(T + ModelShadows.FORGET_AFTER_MS));
      assertEquals(
          ShadowOperator.MAX_MODELS * CONFIG.policies().size(),
          harness.extractOutputValues().size());
      harness.snapshot(2, 0);
      // What it knows, and when it last heard of it.
      assertEquals(2 * ShadowOperator.MAX_MODELS, harness.numKeyedStateEntries());

      harness.processBothWatermarks(mark(T + GONE_MS));
      harness.snapshot(3, 0);
      assertEquals(2 * ShadowOperator.MAX_MODELS, harness.numKeyedStateEntries());
      harness.processBothWatermarks(mark(T + GONE_MS + 1));
      assertEquals(0, harness.numKeyedStateEntries());
      harness.snapshot(4, 0);
      assertEquals(0, harness.numKeyedStateEntries());

      harness.getOutput().clear();
      harness.processElement1(routed(0, "one-too-many", T + GONE_MS + 2));
      harness.processBothWatermarks(mark(T + 2 * GONE_MS));
      assertEquals("one-too-many", harness.extractOutputValues().get(0).model());
    }
  }

  @Test
  void aModelOfWhichOnlyWeightsComeIsNotGone() throws Exception {
    try (var harness = harness()) {
      harness.open();
      harness.processElement1(record(0));
      for (long timeMs = T; timeMs <= T + 2 * GONE_MS; timeMs += 60_000) {
        harness.processElement2(weights(timeMs));
        harness.processBothWatermarks(mark(timeMs));
      }
      harness.snapshot(1, 0);
      assertEquals(2, harness.numKeyedStateEntries());
    }
  }

  /** A subtask whose watermark moves on meanwhile lets it go, another that sleeps keeps it. */
  @Test
  void aModelThatComesBackBeginsAnewWithAndWithoutAWatermark() throws Exception {
    long backMs = T + 2 * GONE_MS;
    List<ShadowStats> anew = rowsOfOneWindow(backMs, harness -> {});
    List<ShadowStats> kept = rowsOfOneWindow(backMs, ShadowOperatorTest::playTurns);
    List<ShadowStats> gone =
        rowsOfOneWindow(
            backMs,
            harness -> {
              playTurns(harness);
              harness.processBothWatermarks(mark(backMs - 1));
            });
    assertEquals(anew, kept);
    assertEquals(anew, gone);
    // The same turns find their prompts' beginnings where they are not forgotten.
    long soonMs = T + ModelShadows.FORGET_AFTER_MS - 60_000;
    assertTrue(
        hits(rowsOfOneWindow(soonMs, ShadowOperatorTest::playTurns))
            > hits(rowsOfOneWindow(soonMs, harness -> {})));
  }

  private static void playTurns(ShadowHarness harness) throws Exception {
    for (int number = 0; number < 70; number++) {
      harness.processElement1(routed(number, "m", T + number));
    }
  }

  /** What is said of the window of the same turns, under other names, after something else. */
  private static List<ShadowStats> rowsOfOneWindow(long timeMs, Before before) throws Exception {
    try (var harness = harness()) {
      harness.open();
      before.play(harness);
      for (int number = 70; number < 84; number++) {
        harness.processElement1(routed(number, "m", timeMs + number));
      }
      harness.processBothWatermarks(mark(timeMs + 60_000));
      return harness.extractOutputValues().stream()
          .filter(row -> row.windowEndMs() > timeMs)
          .toList();
    }
  }

  private interface Before {
    void play(ShadowHarness harness) throws Exception;
  }

  private static long hits(List<ShadowStats> rows) {
    return rows.stream().mapToLong(row -> row.capacities().get(0).cachedTokens()).sum();
  }

  private static List<ShadowStats> rows(List<Integer> order, int restartAfter) throws Exception {
    List<ShadowStats> rows = new ArrayList<>();
    OperatorSubtaskState state;
    try (var first = harness()) {
      first.open();
      for (int number : order.subList(0, restartAfter)) {
        first.processElement1(record(number));
      }
      state = first.snapshot(1, 0);
      rows.addAll(first.extractOutputValues());
    }
    try (var second = harness()) {
      second.initializeState(state);
      second.open();
      for (int number : order.subList(restartAfter, order.size())) {
        second.processElement1(record(number));
      }
      second.processBothWatermarks(mark(Long.MAX_VALUE));
      rows.addAll(second.extractOutputValues());
    }
    return rows;
  }

  private static Watermark mark(long timeMs) {
    return new Watermark(timeMs);
  }

  private static ShadowHarness harness() throws Exception {
    return new ShadowHarness(CONFIG);
  }

  private static final class ShadowHarness
      extends KeyedTwoInputStreamOperatorTestHarness<
          String, RequestEvent, RoutingWeights, ShadowStats> {
    ShadowHarness(ShadowJobConfig config) throws Exception {
      super(
          new ShadowOperator(config),
          event -> event.context().model(),
          RoutingWeights::model,
          Types.STRING);
    }
  }

  private static StreamRecord<RoutingWeights> weights(long timeMs) {
    return new StreamRecord<>(
        new RoutingWeights("m", timeMs, timeMs, timeMs, 0.25, null, List.of(), List.of()), timeMs);
  }

  private static StreamRecord<RequestEvent> routed(int number, String model, long timeMs) {
    return new StreamRecord<>(Turns.routed(number, model, timeMs), timeMs);
  }

  /** Request {@code number}, half a second after the last. */
  private static StreamRecord<RequestEvent> record(int number) {
    return routed(number, "m", T + 500L * number);
  }
}
