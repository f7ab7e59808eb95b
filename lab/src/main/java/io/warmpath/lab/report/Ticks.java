package io.warmpath.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Round values along an axis that begins at 0.
 *
 * @param step between two of them: 1, 2 or 5 times a power of ten
 * @param last the last one, not below the largest value
 */
record Ticks(double step, double last) {

  private static final int ABOUT = 5;

  /** For values from 0 to the largest. */
  static Ticks upTo(double largest) {
    double span = largest > 0 ? largest : 1;
    double power = Math.pow(10, Math.floor(Math.log10(span / ABOUT)));
    double step = power;
    for (double factor : new double[] {2, 5, 10}) {
      if (span / step > ABOUT) {
        step = factor * power;
      }
    }
    return new Ticks(step, step * Math.ceil(span / step - 1e-9));
  }

  List<Double> values() {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i * step <= last * (1 + 1e-9); i++) {
      all.add(i * step);
    }
    return all;
  }

  /** With as many decimals as the step needs. */
  String text(double value) {
    int decimals = (int) Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
