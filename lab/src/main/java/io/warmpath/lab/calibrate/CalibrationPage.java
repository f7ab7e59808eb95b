package io.warmpath.lab.calibrate;

import java.util.ArrayList;
import java.util.List;

/** A calibration as a page in Markdown. */
public final class CalibrationPage {

  private CalibrationPage() {}

  /** The lines of the page. */
  public static List<String> of(CalibrationReport report) {
    List<String> lines = new ArrayList<>();
    lines.add("# Calibration of " + report.target());
    lines.add("");
    lines.add(
        "%d times measured, at most %d tokens a step assumed."
            .formatted(report.probes(), report.tokenBudget()));
    lines.add("");
    lines.addAll(CalibrationTables.constants(report).markdown());
    lines.add("");
    lines.addAll(CalibrationTables.residuals(report).markdown());
    lines.add("");
    lines.addAll(CalibrationTables.observations(report).markdown());
    return lines;
  }
}
