package io.warmpath.lab.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.jobs.combine.Lateness;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReturnedEventsTest {

  private static final long T = 1_796_083_200_000L;

  private final ReturnedEvents events = new ReturnedEvents(new Lateness(2_000, 60_000));

  private void onTime(long timeMs, long writtenMs) {
    events.event(timeMs, timeMs, writtenMs);
  }

  @Test
  void whatComesInOrderIsNotFound() {
    for (long ms = 0; ms < 600_000; ms += 500) {
      onTime(T + ms, T + ms);
    }

    assertEquals(Map.of(), events.keptFromMsByTime());
  }

  @Test
  void whatIsLateInAPartitionThatWasWaitedForIsNotFound() {
    onTime(T, T);
    events.event(T - 62_000, T, T);

    assertEquals(Map.of(), events.keptFromMsByTime());
  }

  @Test
  void whatComesAfterMostOfRetentionIsFoundForTheWindowsThatAreNotEmittedAgain() {
    onTime(T, T);
    onTime(T - 100_000, T);

    assertEquals(Map.of(T - 100_000, T - 361_000), events.keptFromMsByTime());
  }

  @Test
  void whatIsLateInAPartitionThatWasBehindIsFound() {
    onTime(T, T);
    events.event(T - 70_000, T - 20_000, T);

    assertEquals(Map.of(T - 70_000, T - 361_000), events.keptFromMsByTime());
  }

  @Test
  void howFarOthersWereIsWhatWasWrittenByThen() {
    onTime(T, T);
    onTime(T + 900_000, T + 900_000);
    onTime(T - 10_000, T + 1_000);

    assertEquals(Map.of(), events.keptFromMsByTime());
  }
}
