package io.warmpath.lab.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class ResultComparisonTest {

  private static final int SECOND = 1_000;

  private final Side published = new Side();
  private final Side candidate = new Side();

  /** One side's results as they come. */
  private static final class Side implements ResultLog.Source {

    private record Result(ResultRow row, byte[] value) {}

    private final Queue<Result> coming = new ArrayDeque<>();

    void row(String group, int second, String json) {
      coming.add(
          new Result(
              new ResultRow(group, group + "|" + second, (long) second * SECOND),
              json.getBytes(StandardCharsets.UTF_8)));
    }

    void rows(int from, int to, String json) {
      for (int second = from; second <= to; second++) {
        row("m", second, json);
      }
    }

    @Override
    public void readOn(BiConsumer<ResultRow, byte[]> into) {
      for (Result each = coming.poll(); each != null; each = coming.poll()) {
        into.accept(each.row, each.value);
      }
    }
  }

  private ResultComparison comparison(String... expected) {
    return new ResultComparison(
        ResultTopic.ROUTING_STATS, published, candidate, new ExpectedChange(List.of(expected)));
  }

  @Test
  void whatIsEqualCountsOnceItsWindowIsComplete() {
    ResultComparison comparison = comparison();
    published.rows(1, 10, "{\"v\":1}");
    candidate.rows(1, 10, "{\"v\":1}");

    assertEquals(Optional.empty(), comparison.compare());
    assertEquals(9, comparison.equal());
    assertTrue(comparison.isInStep());
  }

  @Test
  void theFirstDifferenceByTimeIsToldOnceBothHaveGoneOn() {
    ResultComparison comparison = comparison();
    published.rows(1, 10, "{\"v\":1,\"rps\":2.0}");
    candidate.rows(1, 10, "{\"v\":1,\"rps\":3.0}");
    assertEquals(Optional.empty(), comparison.compare());
    assertEquals(9, comparison.different());

    published.rows(11, 13, "{\"v\":1,\"rps\":2.0}");
    assertEquals(Optional.empty(), comparison.compare());
    candidate.rows(11, 13, "{\"v\":1,\"rps\":3.0}");

    ResultDifference first = comparison.compare().orElseThrow();
    assertEquals("m|1", first.key());
    assertEquals("rps", first.field());
    assertEquals("2.0", first.published());
    assertEquals("3.0", first.candidate());
  }

  @Test
  void whatLateEventsChangeOnBothSidesIsNoDifference() {
    ResultComparison comparison = comparison();
    published.rows(1, 10, "{\"v\":1}");
    candidate.rows(1, 10, "{\"v\":1}");
    comparison.compare();
    published.row("m", 5, "{\"v\":2}");
    published.rows(11, 20, "{\"v\":1}");
    assertEquals(Optional.empty(), comparison.compare());
    assertEquals(1, comparison.different());
    candidate.row("m", 5, "{\"v\":2}");
    candidate.rows(11, 20, "{\"v\":1}");

    assertEquals(Optional.empty(), comparison.compare());
    assertEquals(0, comparison.different());
    assertEquals(19, comparison.equal());
  }

  @Test
  void expectedFieldsMayDifferUntilTheCut() {
    ResultComparison comparison = comparison("ttft");
    published.rows(1, 10, "{\"v\":1,\"ttft\":{\"p95_us\":1}}");
    candidate.rows(1, 10, "{\"v\":1,\"ttft\":{\"p95_us\":2}}");
    comparison.compare();
    assertEquals(9, comparison.equal());

    comparison.cutHere();
    published.rows(11, 20, "{\"v\":1,\"ttft\":{\"p95_us\":1}}");
    candidate.rows(11, 20, "{\"v\":1,\"ttft\":{\"p95_us\":2}}");
    comparison.compare();
    published.rows(21, 30, "{\"v\":1,\"ttft\":{\"p95_us\":2}}");
    candidate.rows(21, 30, "{\"v\":1,\"ttft\":{\"p95_us\":2}}");

    assertEquals("ttft.p95_us", comparison.compare().orElseThrow().field());
    assertEquals(9, comparison.equalAfterCut());
  }

  @Test
  void aWindowThatOneSideLacksIsADifference() {
    ResultComparison comparison = comparison();
    published.rows(1, 4, "{\"v\":1}");
    published.rows(6, 10, "{\"v\":1}");
    candidate.rows(1, 10, "{\"v\":1}");
    comparison.compare();
    published.rows(11, 14, "{\"v\":1}");
    candidate.rows(11, 14, "{\"v\":1}");

    ResultDifference first = comparison.compare().orElseThrow();
    assertEquals("m|5", first.key());
    assertEquals(null, first.published());
  }

  @Test
  void aGroupThatOneSideHasNothingOfIsADifference() {
    ResultComparison comparison = comparison();
    for (int from : new int[] {1, 11}) {
      published.rows(from, from + 9, "{\"v\":1}");
      published.row("other", from + 2, "{\"v\":1}");
      candidate.rows(from, from + 9, "{\"v\":1}");
      if (from == 1) {
        assertEquals(Optional.empty(), comparison.compare());
      }
    }

    assertEquals("other|3", comparison.compare().orElseThrow().key());
  }

  @Test
  void whatWasPublishedBeforeTheSavepointIsLeftOut() {
    ResultComparison comparison = comparison();
    published.rows(1, 10, "{\"v\":1}");
    comparison.beginAfterThis();
    published.rows(11, 20, "{\"v\":1}");
    candidate.rows(10, 20, "{\"v\":1}");

    assertEquals(Optional.empty(), comparison.compare());
    assertEquals(9, comparison.equal());
    assertEquals(0, comparison.different());
  }

  @Test
  void aWindowThatComesAgainAfterTheCutIsDoubled() {
    ResultComparison comparison = comparison();
    published.rows(1, 10, "{\"v\":1}");
    comparison.cutHere();
    assertEquals(Optional.empty(), comparison.doubled());
    published.row("m", 9, "{\"v\":1}");
    comparison.compare();

    assertEquals(Optional.of("m|9"), comparison.doubled());
  }

  @Test
  void aCandidateThatIsBehindIsNotInStep() {
    ResultComparison comparison = comparison();
    published.rows(1, 10, "{\"v\":1}");
    comparison.compare();
    assertFalse(comparison.isInStep());
    candidate.rows(1, 5, "{\"v\":1}");
    comparison.compare();
    assertFalse(comparison.isInStep());
  }
}
