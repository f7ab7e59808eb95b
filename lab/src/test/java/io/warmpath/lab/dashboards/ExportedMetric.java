package io.warmpath.lab.dashboards;

import java.util.List;

/**
 * A metric that a part of Warmpath exports.
 *
 * @param name name, without the endings of a histogram's series
 * @param type gauge, counter, summary or histogram
 * @param unit unit of its values
 * @param labels names of its labels
 * @param help meaning
 */
record ExportedMetric(String name, String type, String unit, List<String> labels, String help) {

  /** Whether a name in an expression is one of its series. */
  boolean has(String series) {
    return series.equals(name)
        || (type.equals("histogram") && series.matches(name + "_(bucket|sum|count)"));
  }
}
