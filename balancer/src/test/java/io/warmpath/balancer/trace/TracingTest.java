package io.warmpath.balancer.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.OtlpReceiver;
import io.warmpath.balancer.fixture.TestBalancer;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TracingTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  private static final String SAMPLED = "00-" + TRACE + "-" + PARENT + "-01";
  private static final String UNSAMPLED = "00-" + TRACE + "-" + PARENT + "-00";

  private OtlpReceiver receiver;
  private FakeReplica first;
  private FakeReplica second;

  @BeforeEach
  void start() throws Exception {
    receiver = new OtlpReceiver();
    first = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    second = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    receiver.close();
  }

  @Test
  void tellsOfARequestInAServerSpanAndAClientSpan() throws Exception {
    try (TestBalancer balancer = traced(1)) {
      balancer.chat(true, "traceparent", SAMPLED);
    }
    Span server = span(Span.SpanKind.SPAN_KIND_SERVER);
    assertEquals("chat " + TestBalancer.MODEL, server.getName());
    assertEquals(TRACE, hex(server.getTraceId().toByteArray()));
    assertEquals(PARENT, hex(server.getParentSpanId().toByteArray()));
    Map<String, AnyValue> said = attributes(server);
    assertEquals("chat", said.get("gen_ai.operation.name").getStringValue());
    assertEquals(TestBalancer.MODEL, said.get("gen_ai.request.model").getStringValue());
    assertTrue(said.get("gen_ai.request.stream").getBoolValue());
    assertEquals(23, said.get("gen_ai.usage.input_tokens").getIntValue());
    assertEquals(2, said.get("gen_ai.usage.output_tokens").getIntValue());
    assertEquals(200, said.get("http.response.status_code").getIntValue());
    double ttft = said.get("gen_ai.server.time_to_first_token").getDoubleValue();
    double seconds = (server.getEndTimeUnixNano() - server.getStartTimeUnixNano()) / 1e9;
    // The start is known to the millisecond.
    assertTrue(ttft > 0 && ttft <= seconds + 0.002, ttft + " of " + seconds);

    Span client = span(Span.SpanKind.SPAN_KIND_CLIENT);
    assertEquals(server.getSpanId(), client.getParentSpanId());
    assertEquals(server.getTraceId(), client.getTraceId());
    Map<String, AnyValue> attempt = attributes(client);
    assertEquals("replica-0", attempt.get("warmpath.replica").getStringValue());
    assertEquals("127.0.0.1", attempt.get("server.address").getStringValue());
    assertEquals(first.url().getPort(), attempt.get("server.port").getIntValue());
    assertEquals("round_robin", attempt.get("warmpath.policy").getStringValue());
    assertEquals("cold", attempt.get("warmpath.decision.reason").getStringValue());
    assertEquals("gen_ai.first_token", client.getEvents(0).getName());
    assertEquals(Status.StatusCode.STATUS_CODE_UNSET, client.getStatus().getCode());
    Map<String, AnyValue> resource =
        byKey(receiver.resources().get(0).getResource().getAttributesList());
    assertEquals("warmpath-balancer", resource.get("service.name").getStringValue());
  }

  @Test
  void passesTheClientSpansContextOn() throws Exception {
    try (TestBalancer balancer = traced(1)) {
      balancer.chat(true, "traceparent", SAMPLED);
    }
    String passed = first.nextRequest().headers().get("traceparent");
    String client = hex(span(Span.SpanKind.SPAN_KIND_CLIENT).getSpanId().toByteArray());
    assertEquals("00-" + TRACE + "-" + client + "-01", passed);
  }

  @Test
  void hasAClientSpanForEachAttempt() throws Exception {
    first.behave(answer -> answer.json(503, "{}"));
    try (TestBalancer balancer = traced(1)) {
      balancer.chat(true);
    }
    List<Span> clients = spans(Span.SpanKind.SPAN_KIND_CLIENT);
    assertEquals(2, clients.size());
    Map<String, AnyValue> failed = attributes(clients.get(0));
    assertEquals("status_503", failed.get("error.type").getStringValue());
    assertEquals(Status.StatusCode.STATUS_CODE_ERROR, clients.get(0).getStatus().getCode());
    assertFalse(attributes(clients.get(1)).containsKey("error.type"));
    assertFalse(attributes(span(Span.SpanKind.SPAN_KIND_SERVER)).containsKey("error.type"));
  }

  @Test
  void saysWhatWentWrong() throws Exception {
    first.behave(answer -> answer.json(500, "{}"));
    try (TestBalancer balancer = traced(1)) {
      balancer.chat(false);
    }
    Span server = span(Span.SpanKind.SPAN_KIND_SERVER);
    assertEquals("upstream_error", attributes(server).get("error.type").getStringValue());
    assertEquals(500, attributes(server).get("http.response.status_code").getIntValue());
    assertEquals(Status.StatusCode.STATUS_CODE_ERROR, server.getStatus().getCode());
  }

  @Test
  void goesByTheClientsDecisionToSample() throws Exception {
    try (TestBalancer balancer = traced(1)) {
      balancer.chat(true, "traceparent", UNSAMPLED);
    }
    assertEquals(List.of(), receiver.spans());
    assertTrue(first.nextRequest().headers().get("traceparent").endsWith("-00"));
  }

  @Test
  void samplesRequestsWithoutATraceByTheRate() throws Exception {
    try (TestBalancer balancer = traced(0)) {
      balancer.chat(true);
      balancer.chat(true, "traceparent", SAMPLED);
    }
    Span server = span(Span.SpanKind.SPAN_KIND_SERVER);
    assertEquals(TRACE, hex(server.getTraceId().toByteArray()));
  }

  @Test
  void servesOnWithoutACollector() throws Exception {
    URI gone = receiver.endpoint();
    receiver.close();
    try (TestBalancer balancer =
        TestBalancer.with(config -> config.tracing(new TracingSettings(gone, 1)), first)) {
      for (int i = 0; i < 10; i++) {
        assertEquals(200, balancer.chat(true).statusCode());
      }
    }
  }

  @Test
  void leavesTheTraceContextAloneWhenOff() throws Exception {
    try (TestBalancer balancer = TestBalancer.inFrontOf(first)) {
      balancer.chat(true, "traceparent", SAMPLED);
      assertEquals(SAMPLED, first.nextRequest().headers().get("traceparent"));
      balancer.chat(true);
      assertNull(first.nextRequest().headers().get("traceparent"));
    }
  }

  @Test
  void holdsNoTextOfTheClient() throws Exception {
    try (TestBalancer balancer = traced(1)) {
      balancer.post("/v1/chat/completions", TestBalancer.chatBody(true, "a secret sentence"));
    }
    assertFalse(receiver.spans().isEmpty());
    assertFalse(receiver.spans().toString().contains("secret"));
  }

  /** Closing it sends all spans. */
  private TestBalancer traced(double rate) {
    return TestBalancer.with(
        config -> config.tracing(new TracingSettings(receiver.endpoint(), rate)), first, second);
  }

  private Span span(Span.SpanKind kind) {
    List<Span> spans = spans(kind);
    assertEquals(1, spans.size());
    return spans.get(0);
  }

  private List<Span> spans(Span.SpanKind kind) {
    return receiver.spans().stream().filter(span -> span.getKind() == kind).toList();
  }

  private static Map<String, AnyValue> attributes(Span span) {
    return byKey(span.getAttributesList());
  }

  private static Map<String, AnyValue> byKey(List<KeyValue> attributes) {
    return attributes.stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
  }

  private static String hex(byte[] id) {
    return HexFormat.of().formatHex(id);
  }
}
