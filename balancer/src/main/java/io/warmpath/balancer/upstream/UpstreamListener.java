package io.warmpath.balancer.upstream;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;

/** Hears of one request on an upstream connection, on the connection's event loop. */
public interface UpstreamListener {

  /** A connection is there; send the request. */
  void connected(UpstreamConnection connection);

  /** No connection could be made. */
  void connectFailed(Throwable cause);

  /** The answer's head came. */
  void head(HttpResponse head);

  /** A part of the body came, the last one with the trailers; the listener releases it. */
  void content(HttpContent content);

  /** All that was there to read has been read. */
  void readComplete();

  /** The connection was lost before the answer was complete. */
  void lost(Throwable cause);
}
