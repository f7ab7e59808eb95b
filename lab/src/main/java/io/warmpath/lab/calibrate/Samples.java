package io.warmpath.lab.calibrate;

import java.util.ArrayList;
import java.util.List;

/** The repeats of one combination. */
final class Samples {

  private final List<Double> times = new ArrayList<>();
  private double contextTokens;
  private long cachedTokens;

  void add(double us, double context, int cached) {
    times.add(us);
    contextTokens += context;
    cachedTokens += cached;
  }

  double median() {
    return median(times);
  }

  Observation observation(Observation.Kind kind, int promptTokens, int decoding) {
    double median = median();
    int count = times.size();
    return new Observation(
        kind,
        promptTokens,
        (int) Math.round((double) cachedTokens / count),
        decoding,
        contextTokens / count,
        median,
        median(times.stream().map(time -> Math.abs(time - median)).toList()),
        count);
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
