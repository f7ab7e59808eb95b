package io.warmpath.console.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.topic.Topics;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What policies that did not route would have given, and records that nobody could read. */
class ShadowMetricsTest {

  private static final long T = 1_700_000_000_000L;

  private static ShadowStats window() {
    return new ShadowStats(
        T - 60_000,
        T,
        "m",
        "adaptive",
        0.1,
        80,
        1000,
        List.of(capacity(0.5, 0.25), capacity(2, 0.75)));
  }

  private static ShadowStats.Capacity capacity(double factor, double hitRate) {
    return new ShadowStats.Capacity(
        factor, Math.round(1000 * hitRate), hitRate, 0.02, null, Distribution.EMPTY);
  }

  private static String page(long nowMs) {
    MetricsText text = new MetricsText(MetricsFormat.PROMETHEUS, ShadowMetrics.ALL);
    ShadowMetrics.write(text, window(), nowMs);
    return text.toString();
  }

  @Test
  void givesTheHitRateAtEachCapacityWithItsKnownErrors() {
    List<String> samples = page(T + 5_000).lines().filter(line -> line.contains("hit")).toList();

    String labels = "{model=\"m\",policy=\"adaptive\",capacity=";
    assertTrue(samples.contains("warmpath_shadow_hit_ratio" + labels + "\"0.5\"} 0.25"));
    assertTrue(samples.contains("warmpath_shadow_hit_ratio" + labels + "\"2\"} 0.75"));
    assertTrue(
        samples.contains(
            "warmpath_shadow_hit_ratio_error" + labels + "\"2\",cause=\"sampling\"} 0.02"));
    assertTrue(samples.stream().noneMatch(line -> line.contains("cause=\"model\"")));
  }

  @Test
  void withholdsAWindowThatOthersShouldHaveFollowed() {
    assertTrue(page(T + 150_000).contains("warmpath_shadow_requests{"));
    assertEquals("", page(T + 150_001));
  }

  @Test
  void countsDeadLettersFromZeroOnSoThatARateSeesTheFirst() {
    MetricsText text = new MetricsText(MetricsFormat.PROMETHEUS, DeadLetterMetrics.ALL);
    DeadLetterMetrics.write(
        text, (topic, why) -> topic.equals(Topics.REQUESTS) && why == Reason.NOT_JSON ? 3 : 0);

    Stream<String> samples = text.toString().lines().filter(line -> !line.startsWith("#"));
    assertEquals(
        List.of("warmpath_dead_letters_total{topic=\"llm.requests\",reason=\"not_json\"} 3"),
        samples.filter(line -> !line.endsWith(" 0")).toList());
    assertTrue(
        text.toString().contains("{topic=\"llm.cache-events\",reason=\"out_of_range\"} 0\n"));
  }
}
