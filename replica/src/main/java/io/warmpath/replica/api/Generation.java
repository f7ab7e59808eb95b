package io.warmpath.replica.api;

import io.vertx.core.http.HttpServerResponse;
import io.warmpath.replica.engine.Sequence;
import io.warmpath.replica.engine.SequenceListener;
import io.warmpath.schemas.cache.CacheEvent;
import java.util.OptionalInt;

/**
 * One request that generates: hears of its sequence on the engine's thread, and answers on the
 * event loop.
 */
final class Generation implements SequenceListener {

  /** What the server knows of the request. */
  record Order(
      String requestId,
      String policy,
      boolean stream,
      boolean includeUsage,
      int promptTokens,
      Answer answer,
      String finishReason,
      long[] blockHashes,
      int[] tokens) {}

  private static final int NONE = -1;

  private final GenerationHost host;
  private final Order order;
  private final ResponseFrames frames;
  private final HttpServerResponse response;
  private final Sequence sequence;
  private final long arrivedUs;

  /** Index of the token that the answer breaks off at, or {@link #NONE}. */
  private final int crashAtToken;

  private long lastTokenUs;
  private boolean over;

  Generation(GenerationHost host, Order order, ResponseFrames frames, HttpServerResponse response) {
    this.host = host;
    this.order = order;
    this.frames = frames;
    this.response = response;
    arrivedUs = host.engine().nowUs();
    sequence =
        new Sequence(
            order.requestId(),
            order.blockHashes(),
            order.promptTokens(),
            order.answer().tokens().length,
            order.tokens(),
            this);
    OptionalInt crash = host.faults().takeCrash();
    // Before the last token at the latest: then there is still something to break.
    crashAtToken =
        crash.isPresent() ? Math.min(crash.getAsInt(), sequence.outputTokens() - 1) : NONE;
  }

  /** Submits the sequence and opens the response. */
  void start() {
    response.closeHandler(closed -> abandon());
    response.exceptionHandler(failure -> abandon());
    if (order.stream()) {
      response.putHeader("content-type", "text/event-stream; charset=utf-8");
      response.putHeader("cache-control", "no-cache");
      response.setChunked(true);
      response.writeHead();
    } else {
      response.putHeader("content-type", "application/json");
    }
    host.engine().submit(sequence);
  }

  /** Breaks off, as when the engine is gone. */
  void fail() {
    if (!over) {
      over = true;
      host.engine().abort(sequence);
      response.reset();
    }
  }

  @Override
  public void onFirstToken(long timeUs) {
    host.events()
        .onPrefill(
            new CacheEvent.Prefill(
                order.requestId(),
                order.policy(),
                order.promptTokens(),
                sequence.cachedTokens(),
                timeUs - sequence.admittedUs(),
                sequence.prefillGpuUs()));
  }

  @Override
  public void onToken(int index, long timeUs) {
    host.outbox().post(() -> deliver(index));
  }

  private void deliver(int index) {
    if (over) {
      return;
    }
    if (index == crashAtToken) {
      host.ended(this);
      fail();
      return;
    }
    measure(index);
    boolean last = index == sequence.outputTokens() - 1;
    over = last;
    if (order.stream()) {
      stream(index, last);
    } else if (last) {
      String text = String.join("", order.answer().pieces());
      response.end(frames.whole(text, order.finishReason(), usage()));
    }
    if (last) {
      host.metrics().onFinished(order.finishReason(), host.engine().nowUs() - arrivedUs);
      host.ended(this);
    }
  }

  private void stream(int index, boolean last) {
    String opening = index == 0 ? frames.opening() : "";
    String piece = order.answer().pieces()[index];
    if (!last) {
      response.write(opening + frames.delta(piece));
      return;
    }
    String usage = order.includeUsage() ? frames.usage(usage()) : "";
    response.end(
        opening + frames.lastDelta(piece, order.finishReason()) + usage + ResponseFrames.DONE);
  }

  private void measure(int index) {
    long nowUs = host.engine().nowUs();
    if (index == 0) {
      host.metrics().onFirstToken(order.promptTokens(), sequence.cachedTokens(), nowUs - arrivedUs);
    } else {
      host.metrics().onNextToken(nowUs - lastTokenUs);
    }
    lastTokenUs = nowUs;
  }

  private Usage usage() {
    return new Usage(order.promptTokens(), sequence.outputTokens(), sequence.cachedTokens());
  }

  /** The client is gone. */
  private void abandon() {
    if (over) {
      return;
    }
    over = true;
    host.engine().abort(sequence);
    host.metrics().onAborted();
    host.ended(this);
  }
}
