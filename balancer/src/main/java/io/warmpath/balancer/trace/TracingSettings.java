package io.warmpath.balancer.trace;

import java.net.URI;

/**
 * Where traces go.
 *
 * @param endpoint where an OTLP receiver takes traces over HTTP, {@code
 *     http://collector:4318/v1/traces}; null for no traces
 * @param sampleRate share of the requests without a trace of their own that are traced; others go
 *     by what their {@code traceparent} says
 */
public record TracingSettings(URI endpoint, double sampleRate) {

  public static final TracingSettings OFF = new TracingSettings(null, 1);
}
