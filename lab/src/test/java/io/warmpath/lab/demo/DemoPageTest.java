package io.warmpath.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.founding.Band;
import io.warmpath.schemas.stats.LostTokens;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DemoPageTest {

  private static ArmFigures arm(String policy, double ms, long cached, long routing) {
    long us = Math.round(ms * 1_000);
    return new ArmFigures(
        policy,
        110,
        0.47,
        new ArmFigures.Ttft(110, us, us, 3 * us, 2 * us, 4 * us, 5 * us),
        new ArmFigures.Group(11, 340_000),
        new ArmFigures.Group(99, us),
        IntStream.range(0, 10).mapToObj(turn -> turn == 0 ? 340_000.0 : us).toList(),
        new ArmFigures.Spread(8e6, 7_000_000, 11_000_000),
        cached / 10_000.0,
        10_000,
        cached,
        new LostTokens(800, 0, 0, routing, 0, 0),
        routing,
        500,
        null);
  }

  private static DemoReport report(String slowReplica) {
    ArmFigures roundRobin = arm("round_robin", 213, 6_260, 2_940);
    return new DemoReport(
        7,
        "founding",
        5,
        4,
        List.of(
            roundRobin,
            arm("prefix_affinity", 108, 9_200, 0).comparedWith(roundRobin),
            arm("adaptive", 104, 9_200, 0).comparedWith(roundRobin)),
        List.of(
            new DemoReport.RatioBand(
                "adaptive", 200, new Band(1.8, 3, 5.3), 2.05, true, 2.74, true)),
        new SlowdownFigures(
            "weighted_round_robin", slowReplica, 0.5, 20, 1.02, 35.0, 0.61, 1.1, null, 0.8, 0),
        List.of(
            new DemoReport.Promise("requests a second within 15 %", true, "0.46 to 0.48"),
            new DemoReport.Promise("and recovers above 0.9", false, "0.80")),
        301);
  }

  @Test
  void showsRatiosChartsAndWhatDidNotHold() {
    String html = DemoPage.of(report("replica-3")).html();
    assertTrue(html.contains("round_robin’s p95 to adaptive</dt><dd>2.05x"), html);
    assertEquals(4, html.split("<svg class=\"chart\"", -1).length - 1);
    assertTrue(html.contains("<span class=\"no\">no</span> and recovers above 0.9: 0.80"), html);
    assertTrue(html.contains("replica-3 ran at 50 % of its speed"), html);
    assertTrue(html.contains("did not recover above 0.9"), html);
  }

  @Test
  void namesAreTextWhateverIsInThem() {
    String html = DemoPage.of(report("<script>alert('1')</script>")).html();
    assertFalse(html.contains("<script"), html);
    assertTrue(html.contains("&lt;script&gt;alert(&#39;1&#39;)"), html);
  }
}
