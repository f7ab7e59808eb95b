package io.warmpath.balancer.events;

import io.warmpath.schemas.request.RequestEvent;
import java.util.ArrayDeque;
import java.util.List;

/** Keeps the newest events in memory: for tests, and for a balancer without Kafka. */
public final class InMemoryEventSink implements EventSink {

  private final int capacity;
  private final ArrayDeque<RequestEvent> events = new ArrayDeque<>();
  private long emitted;

  /**
   * @param capacity events kept at most; older ones are forgotten, which is no loss
   */
  public InMemoryEventSink(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public synchronized void emit(RequestEvent event, String traceparent) {
    emitted++;
    if (capacity == 0) {
      return;
    }
    if (events.size() == capacity) {
      events.removeFirst();
    }
    events.addLast(event);
    notifyAll();
  }

  /** The events kept, oldest first. */
  public synchronized List<RequestEvent> events() {
    return List.copyOf(events);
  }

  @Override
  public synchronized long emitted() {
    return emitted;
  }

  @Override
  public long dropped() {
    return 0;
  }

  @Override
  public int buffered() {
    return 0;
  }

  @Override
  public void close() {}
}
