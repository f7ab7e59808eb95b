package io.warmpath.lab.dashboards;

import java.util.List;

/**
 * A panel.
 *
 * @param title heading
 * @param about what it shows, how to read it
 * @param show how
 * @param unit Grafana's id of the unit
 * @param width of 24 columns
 * @param empty what it says where there is no data
 * @param range which values there can be
 * @param queries what it asks for
 */
record Panel(
    String title,
    String about,
    Show show,
    String unit,
    int width,
    String empty,
    Range range,
    List<Query> queries) {

  /** How values are shown. */
  enum Show {
    /** Lines over time. */
    LINES,
    /** The newest value, with its past behind it. */
    STAT,
    /** Areas that add up to 100 %. */
    SHARES,
    /** The newest value of each series, side by side. */
    BARS,
    /** A band for each series, which changes with its value. */
    STATES
  }

  /** Which values there can be. */
  enum Range {
    NOT_NEGATIVE,
    /** Negative ones mean something else than positive ones. */
    SIGNED
  }
}
