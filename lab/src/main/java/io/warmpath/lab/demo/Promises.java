package io.warmpath.lab.demo;

import io.warmpath.lab.demo.DemoReport.Promise;
import io.warmpath.lab.demo.DemoReport.RatioBand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Holds the figures of a demo against what it should show. */
final class Promises {

  private static final double MOST_RPS_SPREAD = 1.15;

  /** Published is 196.29 / 94.22 = 2.1. */
  private static final double LEAST_WARM_RATIO = 1.7;

  private Promises() {}

  static List<Promise> of(
      List<ArmFigures> arms,
      ArmFigures roundRobin,
      ArmFigures adaptive,
      RatioBand band,
      SlowdownFigures slowdown) {
    List<Promise> promises = new ArrayList<>();
    double fastest = arms.stream().mapToDouble(ArmFigures::rps).max().orElseThrow();
    double slowest = arms.stream().mapToDouble(ArmFigures::rps).min().orElseThrow();
    promises.add(
        new Promise(
            "requests a second within 15 % of each other",
            fastest <= MOST_RPS_SPREAD * slowest, text("%.2f to %.2f", slowest, fastest)));
    double warmRatio = adaptive.toRoundRobin().warmMeanTtft();
    promises.add(
        new Promise(
            "mean TTFT of turns 2–10: round_robin at least 1.7x adaptive",
            warmRatio >= LEAST_WARM_RATIO,
            text("%.2fx", warmRatio)));
    promises.add(above("p50", roundRobin.ttft().p50Us(), adaptive.ttft().p50Us()));
    promises.add(above("p95", roundRobin.ttft().p95Us(), adaptive.ttft().p95Us()));
    promises.add(
        new Promise(
            "p95 ratio of round_robin to adaptive inside the model's 5–95 % band",
            band.measuredInside(),
            text("%.2f in %.2f–%.2f", band.measured(), band.band().low(), band.band().high())));
    promises.add(
        new Promise(
            "weight of the slow replica falls below 0.7",
            slowdown.secondsToFall() != null,
            text("%.2f", slowdown.lowestWeight())));
    promises.add(
        new Promise(
            "and recovers above 0.9 after the repair",
            slowdown.secondsToRecover() != null,
            text("%.2f", slowdown.weightAfter())));
    return promises;
  }

  private static Promise above(String quantile, long roundRobinUs, long adaptiveUs) {
    return new Promise(
        "TTFT " + quantile + " of round_robin above adaptive's",
        roundRobinUs > adaptiveUs,
        text("%.0f and %.0f ms", roundRobinUs / 1e3, adaptiveUs / 1e3));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
