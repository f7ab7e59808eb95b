/** Traces of requests, for OpenTelemetry collectors. */
package io.warmpath.balancer.trace;
