package io.warmpath.balancer.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.concurrent.TimeUnit;

/**
 * One server span a request and in it one client span an attempt, by OpenTelemetry's conventions
 * for generative AI. Prompts and answers are in none of them.
 */
final class RequestSpans implements RequestTrace {

  private static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("gen_ai.operation.name");
  private static final AttributeKey<String> MODEL = AttributeKey.stringKey("gen_ai.request.model");
  private static final AttributeKey<Boolean> STREAM =
      AttributeKey.booleanKey("gen_ai.request.stream");
  private static final AttributeKey<Long> INPUT_TOKENS =
      AttributeKey.longKey("gen_ai.usage.input_tokens");
  private static final AttributeKey<Long> OUTPUT_TOKENS =
      AttributeKey.longKey("gen_ai.usage.output_tokens");
  private static final AttributeKey<Double> TTFT_SECONDS =
      AttributeKey.doubleKey("gen_ai.server.time_to_first_token");
  private static final AttributeKey<Long> STATUS =
      AttributeKey.longKey("http.response.status_code");
  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  private static final AttributeKey<String> HOST = AttributeKey.stringKey("server.address");
  private static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");
  private static final AttributeKey<String> REPLICA = AttributeKey.stringKey("warmpath.replica");
  private static final AttributeKey<String> POLICY = AttributeKey.stringKey("warmpath.policy");
  private static final AttributeKey<String> REASON =
      AttributeKey.stringKey("warmpath.decision.reason");
  private static final String FIRST_TOKEN = "gen_ai.first_token";

  private final Tracer tracer;
  private final String name;
  private final String operation;
  private final String model;
  private final Span server;
  private final Context inServer;
  private Span attempt;

  RequestSpans(
      Tracer tracer,
      String traceparent,
      String operation,
      String model,
      boolean stream,
      long startedMs) {
    this.tracer = tracer;
    this.name = operation + " " + model;
    this.operation = operation;
    this.model = model;
    this.server =
        tracer
            .spanBuilder(name)
            .setParent(parent(traceparent))
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(startedMs, TimeUnit.MILLISECONDS)
            .setAttribute(OPERATION, operation)
            .setAttribute(MODEL, model)
            .setAttribute(STREAM, stream)
            .startSpan();
    this.inServer = Context.root().with(server);
  }

  private static Context parent(String traceparent) {
    if (traceparent == null) {
      return Context.root();
    }
    SpanContext remote =
        SpanContext.createFromRemoteParent(
            traceparent.substring(3, 35),
            traceparent.substring(36, 52),
            TraceFlags.fromHex(traceparent, 53),
            TraceState.getDefault());
    return Context.root().with(Span.wrap(remote));
  }

  @Override
  public String traceparent() {
    SpanContext newest = (attempt == null ? server : attempt).getSpanContext();
    return "00-"
        + newest.getTraceId()
        + "-"
        + newest.getSpanId()
        + "-"
        + newest.getTraceFlags().asHex();
  }

  @Override
  public void attempt(String replica, String host, int port, String policy, String reason) {
    attempt =
        tracer
            .spanBuilder(name)
            .setParent(inServer)
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute(OPERATION, operation)
            .setAttribute(MODEL, model)
            .setAttribute(HOST, host)
            .setAttribute(PORT, (long) port)
            .setAttribute(REPLICA, replica)
            .setAttribute(POLICY, policy)
            .setAttribute(REASON, reason)
            .startSpan();
  }

  @Override
  public void firstToken(long ttftMicros) {
    server.setAttribute(TTFT_SECONDS, ttftMicros / 1e6);
    attempt.addEvent(FIRST_TOKEN);
  }

  @Override
  public void attemptFailed(String reason) {
    attempt.setAttribute(ERROR, reason).setStatus(StatusCode.ERROR);
    attempt.end();
  }

  @Override
  public void finished(String error, int status, Long inputTokens, Long outputTokens) {
    if (attempt != null && attempt.isRecording()) {
      describe(attempt, error, status, inputTokens, outputTokens);
    }
    describe(server, error, status, inputTokens, outputTokens);
  }

  private static void describe(
      Span span, String error, int status, Long inputTokens, Long outputTokens) {
    if (status > 0) {
      span.setAttribute(STATUS, (long) status);
    }
    if (inputTokens != null) {
      span.setAttribute(INPUT_TOKENS, inputTokens);
    }
    if (outputTokens != null) {
      span.setAttribute(OUTPUT_TOKENS, outputTokens);
    }
    if (error != null) {
      span.setAttribute(ERROR, error).setStatus(StatusCode.ERROR);
    }
    span.end();
  }
}
