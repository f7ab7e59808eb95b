package io.warmpath.balancer.proxy;

import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;

/** Which headers pass, and which the balancer reads or sets. */
final class HeaderRules {

  static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");
  static final AsciiString SESSION_ID = AsciiString.cached("x-session-id");
  static final AsciiString POLICY = AsciiString.cached("x-warmpath-policy");
  static final AsciiString REPLICA = AsciiString.cached("x-warmpath-replica");
  static final AsciiString TRACEPARENT = AsciiString.cached("traceparent");

  /** Headers of one connection, not of the message (RFC 9110, 7.6.1). */
  private static final List<AsciiString> HOP_BY_HOP =
      List.of(
          HttpHeaderNames.CONNECTION,
          AsciiString.cached("keep-alive"),
          AsciiString.cached("proxy-connection"),
          HttpHeaderNames.PROXY_AUTHENTICATE,
          HttpHeaderNames.PROXY_AUTHORIZATION,
          HttpHeaderNames.TE,
          HttpHeaderNames.TRANSFER_ENCODING,
          HttpHeaderNames.UPGRADE);

  private static final Pattern SANE_ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");
  private static final Pattern TRACE =
      Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

  private HeaderRules() {}

  /** Removes the headers of one connection, those that {@code Connection} names too. */
  static void removeHopByHop(HttpHeaders headers) {
    if (headers.contains(HttpHeaderNames.CONNECTION)) {
      for (String value : headers.getAll(HttpHeaderNames.CONNECTION)) {
        for (String name : value.split(",")) {
          headers.remove(name.trim());
        }
      }
    }
    for (AsciiString name : HOP_BY_HOP) {
      headers.remove(name);
    }
  }

  /**
   * How long the sender wants to be left alone, in seconds or as a date; null if it does not say.
   *
   * @param nowMillis wall clock, epoch milliseconds
   */
  static Duration retryAfter(HttpHeaders headers, long nowMillis) {
    String value = headers.get(HttpHeaderNames.RETRY_AFTER);
    if (value == null) {
      return null;
    }
    if (SECONDS.matcher(value.trim()).matches()) {
      return Duration.ofSeconds(Long.parseLong(value.trim()));
    }
    Date date = DateFormatter.parseHttpDate(value);
    return date == null ? null : Duration.ofMillis(Math.max(0, date.getTime() - nowMillis));
  }

  /** The client's request id, or null if there is none that is fit for logs and headers. */
  static String requestId(HttpHeaders headers) {
    String id = headers.get(REQUEST_ID);
    return id != null && SANE_ID.matcher(id).matches() ? id : null;
  }

  /** The client's trace context, or null if there is none that is well-formed. */
  static String traceparent(HttpHeaders headers) {
    String value = headers.get(TRACEPARENT);
    return value != null && TRACE.matcher(value).matches() ? value : null;
  }

  /** The trace id in a well-formed trace context. */
  static String traceId(String traceparent) {
    return traceparent == null ? null : traceparent.substring(3, 35);
  }
}
