package io.warmpath.lab.dashboards;

import java.util.List;

/**
 * What one chooses at the top of a dashboard.
 *
 * @param name name in expressions
 * @param label name on the page
 * @param query Grafana's query for its values, or null where they are listed
 * @param values its values where they are listed
 * @param many whether several may be chosen at once
 * @param preferred value that is chosen at first, or null
 */
record Variable(
    String name, String label, String query, List<String> values, boolean many, String preferred) {

  /** The source of all data, which every panel has. */
  static final String DATA_SOURCE = "datasource";
}
