package io.warmpath.jobs.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

class ShadowOperatorTest {

  private static final long T = 1_796_083_200_000L;

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

  private static org.apache.flink.streaming.api.watermark.Watermark mark(long timeMs) {
    return new org.apache.flink.streaming.api.watermark.Watermark(timeMs);
  }

  private static KeyedTwoInputStreamOperatorTestHarness<
          String, RequestEvent, RoutingWeights, ShadowStats>
      harness() throws Exception {
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        new ShadowOperator(CONFIG),
        event -> event.context().model(),
        RoutingWeights::model,
        Types.STRING);
  }

  /** Request {@code number}, half a second after the last. */
  private static StreamRecord<RequestEvent> record(int number) {
    long timeMs = T + 500L * number;
    return new StreamRecord<>(Turns.routed(number, "m", timeMs), timeMs);
  }
}
