package io.warmpath.balancer.proxy;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** Errors in OpenAI's form. */
final class ErrorBody {

  private ErrorBody() {}

  /**
   * {@code {"error": {"message", "type", "param", "code"}}}.
   *
   * @param param field at fault, or null
   * @param code word for programs, or null
   */
  static String json(String message, String type, String param, String code) {
    return "{\"error\":{\"message\":"
        + quoted(message)
        + ",\"type\":"
        + quoted(type)
        + ",\"param\":"
        + quoted(param)
        + ",\"code\":"
        + quoted(code)
        + "}}";
  }

  /** The error as the last event of a stream. */
  static ByteBuf event(String json, boolean closeOpenEvent) {
    String event = (closeOpenEvent ? "\n\n" : "") + "data: " + json + "\n\n";
    return Unpooled.wrappedBuffer(event.getBytes(StandardCharsets.UTF_8));
  }

  private static String quoted(String text) {
    return text == null
        ? "null"
        : '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
