package io.warmpath.balancer.events;

import io.warmpath.schemas.request.RequestEvent;

/**
 * Takes request events. {@link #emit} never blocks and never fails: an event that cannot be kept is
 * counted as dropped. Safe for concurrent use.
 */
public interface EventSink extends AutoCloseable {

  /**
   * Takes an event.
   *
   * @param traceparent W3C trace context of the request, or null
   */
  void emit(RequestEvent event, String traceparent);

  /** Events taken so far, those dropped included. */
  long emitted();

  /** Events lost so far. */
  long dropped();

  /** Events taken and neither delivered nor lost yet. */
  int buffered();

  /** Delivers what is buffered within a bound, then stops. */
  @Override
  void close();
}
