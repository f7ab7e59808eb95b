package io.warmpath.lab.calibrate;

import io.warmpath.lab.screen.Table;
import java.util.List;
import java.util.Locale;

/** What {@code calibrate} shows people. */
public final class CalibrationTables {

  private CalibrationTables() {}

  /** The constants with their 95 % intervals, beside the actual ones where these are known. */
  public static Table constants(CalibrationReport report) {
    boolean known = report.constants().stream().allMatch(c -> c.actual() != null);
    Table table =
        new Table()
            .row(
                known
                    ? List.of("µs", "fitted", "95 % from", "to", "of the profile", "off by")
                    : List.of("µs", "fitted", "95 % from", "to"));
    for (CalibrationReport.Estimate c : report.constants()) {
      table.row(
          known
              ? List.of(
                  c.field(),
                  number(c.value()),
                  number(c.low()),
                  number(c.high()),
                  number(c.actual()),
                  c.actual() == 0 ? "–" : percent(c.value() / c.actual() - 1))
              : List.of(c.field(), number(c.value()), number(c.low()), number(c.high())));
    }
    return table;
  }

  /** How well the fit explains the measurements. */
  public static Table residuals(CalibrationReport report) {
    Table table = new Table().row(List.of("residuals", "measured", "root mean square", "worst"));
    for (CalibrationReport.Residuals r : report.residuals()) {
      table.row(
          List.of(
              r.kind(), Integer.toString(r.observations()), share(r.rms()), percent(r.worst())));
    }
    return table;
  }

  /** Every measurement beside the fit. */
  public static Table observations(CalibrationReport report) {
    Table table =
        new Table()
            .row(
                List.of(
                    "ms",
                    "prompt tokens",
                    "cached",
                    "decoding",
                    "measured",
                    "spread",
                    "fitted",
                    "off by"));
    for (CalibrationReport.Point p : report.observations()) {
      table.row(
          List.of(
              p.kind(),
              Integer.toString(p.promptTokens()),
              Integer.toString(p.cachedTokens()),
              Integer.toString(p.decoding()),
              millis(p.measuredUs()),
              millis(p.spreadUs()),
              millis(p.predictedUs()),
              percent(p.measuredUs() / p.predictedUs() - 1)));
    }
    return table;
  }

  private static String number(double value) {
    int digits = value >= 1_000 ? 1 : value >= 1 ? 3 : 6;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  private static String millis(double micros) {
    return String.format(Locale.ROOT, "%.3f", micros / 1_000);
  }

  private static String share(double ratio) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * ratio);
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%+.2f %%", 100 * ratio);
  }
}
