package io.warmpath.lab.simulate;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warmpath.lab.SharedData;
import io.warmpath.lab.simulate.PolicyGrid.Cell;
import io.warmpath.lab.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What the published defaults are worth on a real trace, with speeds that have to be learned. */
class PolicyQualityTest {

  private static final double MEAN_RATIO = 0.85;
  private static final double HIT_RATIO = 0.94;

  /** With one replica at half its speed: in all cells, and in all but two of them. */
  private static final double SLOW_MEAN_RATIO = 0.80;

  private static final double MOST_SLOW_MEAN_RATIO = 0.75;

  @Test
  void adaptiveBeatsTheBestReferenceInEveryCell() throws IOException {
    Optional<Path> folder = SharedData.folder("mooncake");
    assumeTrue(folder.isPresent(), "no ../shared/data/mooncake beside this checkout");
    PolicyGrid grid =
        new PolicyGrid(
            List.of(4, 8),
            List.of(0, 1_000, 3_000, 5_859, 20_000),
            List.of(Slowdown.parse("3=0.5@600s")));
    List<Cell> cells =
        grid.play(
            TraceReader.read(folder.get().resolve("conversation_trace.jsonl.gz")), done -> {});
    assertEquals(20, cells.size());
    assertAll(cells.stream().map(PolicyQualityTest::holds));
    long good =
        cells.stream().filter(c -> c.slow() && c.meanRatio() <= MOST_SLOW_MEAN_RATIO).count();
    assertTrue(good >= 8, () -> cells.toString());
  }

  private static Executable holds(Cell cell) {
    return () -> {
      assertTrue(
          cell.meanRatio() <= (cell.slow() ? SLOW_MEAN_RATIO : MEAN_RATIO), () -> "mean: " + cell);
      assertTrue(cell.slow() || cell.hitRatio() >= HIT_RATIO, () -> "hits: " + cell);
    };
  }
}
