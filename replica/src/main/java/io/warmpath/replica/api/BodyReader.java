package io.warmpath.replica.api;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Reads a bounded body whatever its content type says, since many clients send JSON under a wrong
 * one, and then lets its endpoint act.
 */
final class BodyReader implements Handler<RoutingContext> {

  /** What an endpoint does with a body. */
  interface Action {

    /**
     * Answers.
     *
     * @throws ApiException if it refuses
     */
    void handle(RoutingContext context, byte[] body);
  }

  private final int maxBytes;
  private final Action action;

  BodyReader(int maxBytes, Action action) {
    this.maxBytes = maxBytes;
    this.action = action;
  }

  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    Buffer body = Buffer.buffer();
    request.handler(
        chunk -> {
          if (body.length() + (long) chunk.length() <= maxBytes) {
            body.appendBuffer(chunk);
          } else {
            // What still comes is read and thrown away, so that the client gets to the answer.
            request.handler(null);
            request.endHandler(null);
            context.fail(ApiException.of(413, "the body is larger than " + maxBytes + " bytes"));
          }
        });
    request.endHandler(
        ended -> {
          try {
            action.handle(context, body.getBytes());
          } catch (RuntimeException e) {
            context.fail(e);
          }
        });
  }
}
