package io.warmpath.balancer.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Makes traces and sends them, if that is configured. Spans wait in a bounded queue and are dropped
 * beyond it, so that no request waits for a collector. Safe for concurrent use.
 */
public final class Tracing implements AutoCloseable {

  /** Traces nothing. */
  public static final Tracing OFF = new Tracing(null, null);

  private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(5);
  private static final long FLUSH_SECONDS = 2;

  private final SdkTracerProvider provider;
  private final Tracer tracer;

  private Tracing(SdkTracerProvider provider, Tracer tracer) {
    this.provider = provider;
    this.tracer = tracer;
  }

  /**
   * @param name name of this balancer
   */
  public static Tracing of(TracingSettings settings, String name) {
    if (settings.endpoint() == null) {
      return OFF;
    }
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(settings.endpoint().toString())
            .setTimeout(EXPORT_TIMEOUT)
            .build();
    Attributes identity =
        Attributes.of(
            AttributeKey.stringKey("service.name"),
            "warmpath-balancer",
            AttributeKey.stringKey("service.instance.id"),
            name);
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().merge(Resource.create(identity)))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.sampleRate())))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter).setExporterTimeout(EXPORT_TIMEOUT).build())
            .build();
    return new Tracing(provider, provider.get("io.warmpath.balancer"));
  }

  /**
   * A request came in.
   *
   * @param traceparent the client's trace context, well-formed, or null
   * @param operation what it asks for, in the words of OpenTelemetry's conventions
   * @param startedMs when it came, epoch milliseconds
   */
  public RequestTrace request(
      String traceparent, String operation, String model, boolean stream, long startedMs) {
    return tracer == null
        ? RequestTrace.NONE
        : new RequestSpans(tracer, traceparent, operation, model, stream, startedMs);
  }

  /** Sends what waits, within a bound. */
  @Override
  public void close() {
    if (provider != null) {
      provider.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS);
    }
  }
}
