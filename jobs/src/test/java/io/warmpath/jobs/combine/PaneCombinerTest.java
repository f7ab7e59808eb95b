package io.warmpath.jobs.combine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.KeyedPane;
import io.warmpath.jobs.request.RequestFigures;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.testing.Arrivals;
import io.warmpath.jobs.testing.Pipeline;
import io.warmpath.jobs.testing.Request;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PaneCombinerTest {

  private static final long T = 1_796_083_200_000L;

  private static final CombineRules RULES =
      CombineRules.of(
          Duration.ofSeconds(2),
          Duration.ofSeconds(60),
          Duration.ofSeconds(120),
          1_000_000,
          20_000);

  private final Arrivals<RequestEvent> arrivals =
      new Arrivals<>(Topics.REQUESTS, Arrivals.REQUESTS);

  private OneInputStreamOperatorTestHarness<Inbound<RequestFigures>, KeyedPane> harness;

  @BeforeEach
  void open() throws Exception {
    harness = harness(1, 0);
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void addsEventsUpUntilTheWatermarkPassesTheirSecond() throws Exception {
    read(Request.at(T).finished());
    read(Request.at(T + 999).finished());
    read(Request.at(T + 1_000).finished());
    harness.processWatermark(T + 998);
    assertEquals(List.of(), panes());

    harness.processWatermark(T + 999);
    assertEquals(
        List.of("*|replica-0 0: 2", "*|* 0: 2", "adaptive|replica-0 0: 2", "adaptive|* 0: 2"),
        panes());
  }

  @Test
  void holdsNothingBackWhenItsInputFallsSilent() throws Exception {
    read(Request.at(T).finished());
    harness.processWatermarkStatus(WatermarkStatus.IDLE);
    assertEquals(4, panes().size());
  }

  @Test
  void holdsNothingBackFromACheckpoint() throws Exception {
    read(Request.at(T).finished());
    harness.prepareSnapshotPreBarrier(1);
    assertEquals(4, panes().size());
  }

  @Test
  void holdsNothingBackAtTheEnd() throws Exception {
    read(Request.at(T).finished());
    harness.endInput();
    harness.getOneInputOperator().finish();
    assertEquals(4, panes().size());
  }

  @Test
  void whatIsTooLateGoesAsideAndIsCounted() throws Exception {
    RequestEvent counted = Request.at(T + 30_000).finished();
    read(counted);
    read(Request.at(T + 100_000).finished());
    read(Request.at(T + 38_000).finished());
    read(Request.at(T + 37_999).finished());
    read(counted);

    assertEquals(
        List.of(new DroppedEvent(Topics.REQUESTS, 0, 3, T + 37_999, T + 100_000)),
        harness.getSideOutput(PaneCombiner.DROPPED).stream().map(StreamRecord::getValue).toList());
    harness.processWatermark(T + 100_999);
    KeyedPane now =
        harness.extractOutputValues().stream()
            .filter(keyed -> keyed.startMs() == T + 100_000)
            .findFirst()
            .orElseThrow();
    assertEquals(1, now.pane().get(Count.DROPPED));
    assertEquals(1, now.pane().get(Count.DUPLICATES));
  }

  @Test
  void holdsABoundedNumberOfPanes() throws Exception {
    for (int i = 0; i < PaneCombiner.MAX_OPEN_PANES; i++) {
      assertEquals(0, harness.getOutput().size());
      read(Request.at(T).replica("replica-" + i).finished());
    }
    assertEquals(2 * PaneCombiner.MAX_OPEN_PANES + 2, harness.getOutput().size());
  }

  @Test
  void highestTimesOfAllPartitionsSurviveAnyRescaling() throws Exception {
    assertAfterAnyRescaling(
        Request.at(T + 100_000).finished(), Request.at(T).finished(), Count.DROPPED);
  }

  @Test
  void copiesAreKnownAfterAnyRescaling() throws Exception {
    RequestEvent event = Request.at(T).finished();
    assertAfterAnyRescaling(event, event, Count.DUPLICATES);
  }

  /** Two subtasks read an event of a partition each, and then, as so many as may be, another. */
  private void assertAfterAnyRescaling(RequestEvent before, RequestEvent after, Count counted)
      throws Exception {
    List<OperatorSubtaskState> states = new ArrayList<>();
    for (int subtask = 0; subtask < 2; subtask++) {
      try (var one = harness(2, subtask)) {
        one.open();
        one.processElement(record(arrivals.onTime(subtask, before)));
        one.prepareSnapshotPreBarrier(1);
        states.add(one.snapshot(1, 0));
      }
    }
    OperatorSubtaskState all =
        AbstractStreamOperatorTestHarness.repackageState(
            states.toArray(OperatorSubtaskState[]::new));
    for (int parallelism = 1; parallelism <= 3; parallelism++) {
      for (int subtask = 0; subtask < parallelism; subtask++) {
        OperatorSubtaskState mine =
            AbstractStreamOperatorTestHarness.repartitionOperatorState(
                all, 128, 2, parallelism, subtask);
        try (var one = harness(parallelism, subtask)) {
          one.initializeState(mine);
          one.open();
          one.processElement(record(arrivals.onTime(0, after)));
          one.processElement(record(arrivals.onTime(1, after)));
          one.processWatermark(T + 200_000);
          assertEquals(2, one.extractOutputValues().get(0).pane().get(counted));
        }
      }
    }
  }

  private static OneInputStreamOperatorTestHarness<Inbound<RequestFigures>, KeyedPane> harness(
      int parallelism, int subtask) throws Exception {
    return new OneInputStreamOperatorTestHarness<>(
        new PaneCombiner<>(new RequestContribution(0.15), RULES, Duration.ofSeconds(360)),
        128,
        parallelism,
        subtask);
  }

  private void read(RequestEvent event) throws Exception {
    harness.processElement(record(arrivals.onTime(0, event)));
  }

  private static StreamRecord<Inbound<RequestFigures>> record(Parsed<RequestEvent> event) {
    return new StreamRecord<>(Pipeline.figures(event), event.eventTimeMs());
  }

  private List<String> panes() {
    return harness.extractOutputValues().stream()
        .map(
            keyed ->
                keyed.key().policy()
                    + "|"
                    + keyed.key().replica()
                    + " "
                    + (keyed.startMs() - T)
                    + ": "
                    + keyed.pane().get(Count.REQUESTS))
        .toList();
  }
}
