package io.warmpath.lab.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatsRowsTest {

  private static final long SIZE_MS = 60_000;
  private static final String POLICY = "adaptive";

  private final List<Seen<RoutingStats>> rows = new ArrayList<>();

  private enum State {
    PROVISIONAL,
    FINAL
  }

  private RoutingStats add(String policy, long endMs, long sizeMs, long requests, State state) {
    RoutingStats row =
        new RoutingStats(
            endMs - sizeMs,
            endMs,
            "m",
            policy,
            "*",
            state == State.PROVISIONAL,
            requests,
            requests,
            0,
            0,
            0,
            requests,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            null,
            null,
            Distribution.EMPTY,
            Distribution.EMPTY,
            Distribution.EMPTY,
            Distribution.EMPTY,
            LostTokens.NONE,
            0,
            null,
            null,
            null,
            null,
            null,
            null);
    rows.add(new Seen<>(row, endMs));
    return row;
  }

  private Optional<List<RoutingStats>> cover(long startMs, long endMs) {
    return StatsRows.cover(rows, POLICY, "*", startMs, endMs, SIZE_MS);
  }

  @Test
  void takesDisjointWindowsBackToTheStart() {
    add(POLICY, 125_000, SIZE_MS, 100, State.FINAL);
    add("*", 125_000, SIZE_MS, 0, State.FINAL);
    add(POLICY, 125_000, 10_000, 100, State.FINAL);
    add("*", 125_000, 10_000, 100, State.FINAL);
    RoutingStats early = add(POLICY, 130_000, SIZE_MS, 3, State.FINAL);
    add("*", 130_000, SIZE_MS, 3, State.FINAL);
    RoutingStats late = add(POLICY, 190_000, SIZE_MS, 4, State.FINAL);
    add("other", 190_000, SIZE_MS, 50, State.FINAL);
    add("*", 190_000, SIZE_MS, 54, State.FINAL);

    assertEquals(Optional.of(List.of(late, early)), cover(80_000, 190_000));
    assertEquals(Optional.of(List.of(late)), cover(130_000, 190_000));
  }

  @Test
  void waitsForTheFinalTotalOfEachWindow() {
    add(POLICY, 130_000, SIZE_MS, 3, State.FINAL);
    assertEquals(Optional.empty(), cover(100_000, 130_000));

    add("*", 130_000, SIZE_MS, 3, State.PROVISIONAL);
    assertEquals(Optional.empty(), cover(100_000, 130_000));

    add("*", 130_000, SIZE_MS, 3, State.FINAL);
    assertEquals(1, cover(100_000, 130_000).orElseThrow().size());
  }

  @Test
  void aRowThatCameAgainReplacesTheEarlierOne() {
    add(POLICY, 130_000, SIZE_MS, 3, State.FINAL);
    add("*", 130_000, SIZE_MS, 3, State.FINAL);
    RoutingStats corrected = add(POLICY, 130_000, SIZE_MS, 4, State.FINAL);

    assertEquals(Optional.of(List.of(corrected)), cover(100_000, 130_000));
  }

  @Test
  void aWindowWithoutThePolicyHasNoRow() {
    add("*", 130_000, SIZE_MS, 0, State.FINAL);

    assertEquals(Optional.of(List.of()), cover(100_000, 130_000));
  }

  @Test
  void theFirstEndAfterATimeLiesBeyondIt() {
    assertEquals(5_000, StatsRows.firstEndAfter(0, 5_000));
    assertEquals(5_000, StatsRows.firstEndAfter(4_999, 5_000));
    assertEquals(10_000, StatsRows.firstEndAfter(5_000, 5_000));
  }
}
