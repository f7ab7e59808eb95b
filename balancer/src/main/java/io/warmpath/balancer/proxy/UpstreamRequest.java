package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.warmpath.balancer.request.BodyEdit;
import io.warmpath.balancer.sse.UsageChunk;
import io.warmpath.balancer.upstream.Replica;

/** A client's request as replicas get it, for as many attempts as it takes. */
final class UpstreamRequest {

  private final HttpMethod method;
  private final String uri;
  private final HttpHeaders headers;
  private final RequestBody body;
  private final BodyEdit edit;
  private final String requestId;
  private final boolean stream;
  private final boolean clientTakesChunks;

  /** Takes over the head's headers. */
  UpstreamRequest(
      HttpRequest head, RequestBody body, BodyEdit edit, String requestId, boolean stream) {
    this.method = head.method();
    this.uri = head.uri();
    this.headers = head.headers();
    this.body = body;
    this.edit = edit;
    this.requestId = requestId;
    this.stream = stream;
    this.clientTakesChunks = takesChunks(head);
    HeaderRules.removeHopByHop(headers);
    headers.remove(HttpHeaderNames.EXPECT);
    // The balancer reads what it forwards.
    headers.remove(HttpHeaderNames.ACCEPT_ENCODING);
    headers.set(HeaderRules.REQUEST_ID, requestId);
  }

  String requestId() {
    return requestId;
  }

  /** Whether the client wants a stream. */
  boolean stream() {
    return stream;
  }

  /** Whether the client knows chunked bodies. */
  boolean clientTakesChunks() {
    return clientTakesChunks;
  }

  static boolean takesChunks(HttpRequest head) {
    return head.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0;
  }

  /** Whether the usage chunk is the client's or the balancer's. */
  UsageChunk usageChunk() {
    return edit.equals(BodyEdit.NONE) ? UsageChunk.FORWARD : UsageChunk.WITHHOLD;
  }

  /** There will be no further attempt. */
  void forgetBody() {
    body.free();
  }

  /**
   * The request for one attempt.
   *
   * @param traceparent trace context, null to leave the client's as it is
   */
  FullHttpRequest to(Replica replica, String policy, String traceparent) {
    ByteBuf content = edit.apply(body.bytes(), body.length());
    headers.set(HttpHeaderNames.HOST, replica.authority());
    headers.set(HeaderRules.POLICY, policy);
    if (traceparent != null) {
      headers.set(HeaderRules.TRACEPARENT, traceparent);
    }
    if (content.isReadable()) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
    }
    return new DefaultFullHttpRequest(
        HttpVersion.HTTP_1_1,
        method,
        replica.target(uri),
        content,
        headers,
        EmptyHttpHeaders.INSTANCE);
  }
}
