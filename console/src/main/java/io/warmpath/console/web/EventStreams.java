package io.warmpath.console.web;

import io.vertx.core.http.HttpServerResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The open server-sent event streams. Each begins with a {@code snapshot}; {@code update}s follow,
 * which carry only the newest part of each history. A page that reads too slowly misses updates and
 * is given a snapshot once it has caught up. Used on one event loop only.
 */
final class EventStreams {

  /** What a page needs next. */
  private enum Next {
    SNAPSHOT,
    UPDATE
  }

  private static final int RECONNECT_MS = 2_000;

  private final int maxStreams;
  private final Map<HttpServerResponse, Next> streams = new LinkedHashMap<>();

  EventStreams(int maxStreams) {
    this.maxStreams = maxStreams;
  }

  int size() {
    return streams.size();
  }

  boolean isFull() {
    return streams.size() >= maxStreams;
  }

  /** Begins a stream. */
  void open(HttpServerResponse response, Supplier<String> snapshot) {
    response
        .setChunked(true)
        .putHeader("content-type", "text/event-stream")
        .putHeader("cache-control", "no-store")
        .putHeader("x-accel-buffering", "no");
    streams.put(response, Next.UPDATE);
    response.closeHandler(closed -> streams.remove(response));
    response.exceptionHandler(broken -> streams.remove(response));
    response.write("retry: " + RECONNECT_MS + "\n\n" + event("snapshot", snapshot.get()));
  }

  /** Sends each page what it needs; texts are made once, and only if a page needs them. */
  void send(Supplier<String> snapshot, Supplier<String> update) {
    Supplier<String> snapshotEvent = once(() -> event("snapshot", snapshot.get()));
    Supplier<String> updateEvent = once(() -> event("update", update.get()));
    // Over a copy: a write may find out that its stream has ended, which removes it.
    for (HttpServerResponse response : List.copyOf(streams.keySet())) {
      if (response.writeQueueFull()) {
        streams.replace(response, Next.SNAPSHOT);
      } else {
        boolean behind = streams.get(response) == Next.SNAPSHOT;
        response.write(behind ? snapshotEvent.get() : updateEvent.get());
        streams.replace(response, Next.UPDATE);
      }
    }
  }

  private static String event(String name, String json) {
    return "event: " + name + "\ndata: " + json + "\n\n";
  }

  private static Supplier<String> once(Supplier<String> text) {
    return new Supplier<>() {
      private String made;

      @Override
      public String get() {
        if (made == null) {
          made = text.get();
        }
        return made;
      }
    };
  }
}
