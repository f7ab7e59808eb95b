package io.warmpath.jobs.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.jobs.testing.Rows;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.weights.RoutingWeights;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WeightsDeciderTest {

  private static final long T = 1_796_083_200_000L;

  private static final WeightsJobConfig CONFIG =
      WeightsJobConfig.parse("--bootstrap-servers", "none:0");

  private KeyedOneInputStreamOperatorTestHarness<String, RoutingStats, RoutingWeights> harness;

  @BeforeEach
  void open() throws Exception {
    harness = harness();
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void decidesWhenTheTotalOfAWindowCame() throws Exception {
    read(Rows.replica("replica-0", T, 40));
    assertEquals(List.of(), epochs());
    read(Rows.total(T));
    assertEquals(List.of(T), epochs());
  }

  @Test
  void neverDecidesTwiceOnAWindowOrOnAnOlderOne() throws Exception {
    window(T);
    window(T);
    window(T - 5_000);
    window(T + 5_000);
    assertEquals(List.of(T, T + 5_000), epochs());
    assertEquals(
        List.of(T, T + 5_000),
        harness.getSideOutput(WeightsDecider.DECISIONS).stream()
            .map(record -> record.getValue().epoch())
            .toList());
  }

  @Test
  void takesTheLastRowOfAReplicaInTheWindow() throws Exception {
    read(Rows.replica("replica-0", T, 40));
    read(Rows.replica("replica-1", T, 40));
    read(Rows.replica("replica-1", T, 400));
    read(Rows.total(T));

    RoutingWeights weights = harness.extractOutputValues().get(0);
    assertTrue(weights.replicas().get(1).weight() < weights.replicas().get(0).weight());
  }

  @Test
  void listsOnlyTheReplicasOfItsWindow() throws Exception {
    window(T);
    read(Rows.replica("replica-1", T + 5_000, 40));
    read(Rows.total(T + 5_000));

    RoutingWeights last = harness.extractOutputValues().get(1);
    assertEquals(1, last.replicas().size());
    assertEquals("replica-1", last.replicas().get(0).replica());
  }

  @Test
  void concernsOnlyMinuteRowsOverAllPolicies() {
    assertTrue(WeightsDecider.concerns(Rows.row("m", "*", "r", 60_000, T, null)));
    assertTrue(WeightsDecider.concerns(Rows.row("m", "*", "*", 60_000, T, null)));
    assertFalse(WeightsDecider.concerns(Rows.row("m", "a", "r", 60_000, T, null)));
    assertFalse(WeightsDecider.concerns(Rows.row("m", "a", "*", 60_000, T, null)));
    assertFalse(WeightsDecider.concerns(Rows.row("m", "*", "*", 10_000, T, null)));
  }

  @Test
  void aProvisionalRowHasNoPartInWeights() {
    String row =
        new String(
            Codecs.ROUTING_STATS.encode(Rows.row("m", "*", "*", 60_000, T, null)),
            StandardCharsets.UTF_8);
    String provisional = row.replace("\"provisional\":false", "\"provisional\":true");

    assertFalse(
        WeightsDecider.concerns(
            Codecs.ROUTING_STATS.decode(provisional.getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void aRestartInTheMiddleOfAWindowChangesNothing() throws Exception {
    List<RoutingStats> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rows.add(Rows.replica("replica-0", T + i * 5_000L, 40));
      rows.add(Rows.replica("replica-1", T + i * 5_000L, i < 5 ? 40 : 90));
      rows.add(Rows.total(T + i * 5_000L));
    }
    for (RoutingStats row : rows) {
      read(row);
    }
    List<RoutingWeights> expected = harness.extractOutputValues();

    for (int cut = 1; cut < rows.size(); cut += 7) {
      assertEquals(expected, withRestartAfter(cut, rows));
    }
  }

  private static List<RoutingWeights> withRestartAfter(int cut, List<RoutingStats> rows)
      throws Exception {
    List<RoutingWeights> weights = new ArrayList<>();
    OperatorSubtaskState state;
    try (var first = harness()) {
      first.open();
      for (RoutingStats row : rows.subList(0, cut)) {
        first.processElement(new StreamRecord<>(row));
      }
      weights.addAll(first.extractOutputValues());
      state = first.snapshot(1, 0);
    }
    try (var second = harness()) {
      second.initializeState(state);
      second.open();
      for (RoutingStats row : rows.subList(cut, rows.size())) {
        second.processElement(new StreamRecord<>(row));
      }
      weights.addAll(second.extractOutputValues());
    }
    return weights;
  }

  @Test
  void aModelThatVanishedLeavesNoStateAndATombstone() throws Exception {
    window(T);
    window(T + 5_000);
    harness.processWatermark(T + WeightsDecider.FORGET_AFTER_MS);
    assertNull(harness.getSideOutput(WeightsDecider.GONE));

    harness.processWatermark(T + 2 * WeightsDecider.FORGET_AFTER_MS);
    assertEquals(
        List.of("m"),
        harness.getSideOutput(WeightsDecider.GONE).stream().map(StreamRecord::getValue).toList());
    assertEquals(0, harness.numKeyedStateEntries());
    assertEquals(0, harness.numEventTimeTimers());
  }

  @Test
  void aModelThatDecidesOnIsNotGone() throws Exception {
    for (long timeMs = T; timeMs <= T + 2 * WeightsDecider.FORGET_AFTER_MS; timeMs += 60_000) {
      window(timeMs);
      harness.processWatermark(timeMs);
    }
    assertNull(harness.getSideOutput(WeightsDecider.GONE));
  }

  /** As verify-log replays it, where no watermark says so. */
  @Test
  void aModelThatComesBackBeginsAnewWithAndWithoutAWatermark() throws Exception {
    long backMs = T + WeightsDecider.FORGET_AFTER_MS + WeightsDecider.FORGET_MARGIN_MS * 3;
    window(T);
    read(Rows.replica("replica-0", T + 5_000, 400));
    read(Rows.replica("replica-1", T + 5_000, 40));
    read(Rows.total(T + 5_000));
    harness.processWatermark(backMs);
    window(backMs);
    RoutingWeights last = lastOf(harness);

    try (var unmarked = harness()) {
      unmarked.open();
      for (RoutingStats row :
          List.of(
              Rows.replica("replica-0", T, 40),
              Rows.replica("replica-1", T, 40),
              Rows.total(T),
              Rows.replica("replica-0", backMs, 40),
              Rows.replica("replica-1", backMs, 40),
              Rows.total(backMs))) {
        unmarked.processElement(new StreamRecord<>(row));
      }
      assertEquals(last, lastOf(unmarked));
    }
  }

  private static RoutingWeights lastOf(
      KeyedOneInputStreamOperatorTestHarness<String, RoutingStats, RoutingWeights> decider) {
    List<RoutingWeights> weights = decider.extractOutputValues();
    return weights.get(weights.size() - 1);
  }

  private static KeyedOneInputStreamOperatorTestHarness<String, RoutingStats, RoutingWeights>
      harness() throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(new WeightsDecider(CONFIG)), RoutingStats::model, Types.STRING);
  }

  private void window(long endMs) throws Exception {
    read(Rows.replica("replica-0", endMs, 40));
    read(Rows.replica("replica-1", endMs, 40));
    read(Rows.total(endMs));
  }

  private void read(RoutingStats row) throws Exception {
    harness.processElement(new StreamRecord<>(row));
  }

  private List<Long> epochs() {
    return harness.extractOutputValues().stream().map(RoutingWeights::epoch).toList();
  }
}
