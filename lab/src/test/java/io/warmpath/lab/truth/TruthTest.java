package io.warmpath.lab.truth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.jobs.window.WindowSpec;
import io.warmpath.lab.synthetic.SyntheticFleet;
import io.warmpath.lab.synthetic.SyntheticRequests;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The judge of the exactness and fault tests sees what is wrong, and nothing else. */
class TruthTest {

  private static final long T = 1_796_083_200_000L;
  private static final List<WindowSpec> WINDOWS =
      List.of(new WindowSpec(10_000, 10_000, WindowSpec.Scope.ALL_KEYS));

  private final SyntheticRequests requests =
      new SyntheticRequests(SyntheticFleet.of(List.of("m"), 1), 5);
  private final Map<String, RoutingStats> rows = new HashMap<>();
  private final Truth truth = new Truth();

  /** One request that was rejected: it counts for its policy and in total. */
  @BeforeEach
  void aRejectedRequest() {
    long rejected =
        LongStream.iterate(0, i -> i + 1)
            .filter(i -> requests.finished(i, T).outcome() == Outcome.REJECTED)
            .findFirst()
            .orElseThrow();
    truth.add(requests.finished(rejected, T));
    String policy = requests.finished(rejected, T).context().policy();
    long promptTokens = requests.finished(rejected, T).facts().promptTokens();
    put(row("*", 1, promptTokens));
    put(row(policy, 1, promptTokens));
  }

  private void put(RoutingStats row) {
    rows.put(Truth.nameOf(row), row);
  }

  private static RoutingStats row(String policy, long rejected, long unknownTokens) {
    Distribution none = Distribution.EMPTY;
    return new RoutingStats(
        T,
        T + 10_000,
        "m",
        policy,
        "*",
        false,
        1,
        0,
        0,
        0,
        rejected,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0.1,
        0,
        0,
        1,
        unknownTokens,
        null,
        null,
        none,
        none,
        none,
        none,
        LostTokens.NONE,
        0,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  @Test
  void theTruthHasNoDifferences() {
    assertEquals(List.of(), truth.compare(WINDOWS, rows).all());
  }

  @Test
  void aMissingRowIsNamed() {
    rows.remove("m|*|*|10000|" + (T + 10_000));

    assertEquals(
        List.of("m|*|*|10000|" + (T + 10_000) + ": missing"), truth.compare(WINDOWS, rows).all());
  }

  @Test
  void whatWasCountedTwiceIsNamed() {
    put(row("*", 2, rows.get("m|*|*|10000|" + (T + 10_000)).unknownCachedPromptTokens()));

    assertEquals(
        List.of("m|*|*|10000|" + (T + 10_000) + ": rejected is 2, not 1"),
        truth.compare(WINDOWS, rows).all());
  }

  @Test
  void aRowOfNothingIsNamed() {
    put(row("other", 1, 1));

    assertEquals(
        List.of("m|other|*|10000|" + (T + 10_000) + ": nothing happened in it"),
        truth.compare(WINDOWS, rows).all());
  }
}
