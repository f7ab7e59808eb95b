package io.warmpath.lab.dashboards;

/**
 * What a panel asks Prometheus for.
 *
 * @param expression PromQL, with selectors in place and Grafana's variables as they are
 * @param legend name of a series, with its labels in double braces
 */
record Query(String expression, String legend) {}
