/** Counts and measures, for Prometheus to read. */
package io.warmpath.balancer.metrics;
