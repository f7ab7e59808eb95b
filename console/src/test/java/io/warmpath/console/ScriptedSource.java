package io.warmpath.console;

import io.warmpath.console.source.ResultHandler;
import io.warmpath.console.source.ResultSource;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.weights.RoutingWeights;

/** A source that a test drives by hand. */
public final class ScriptedSource implements ResultSource {

  private volatile Status status = Status.CONNECTING;
  private ResultHandler handler;

  @Override
  public void start(ResultHandler resultHandler) {
    handler = resultHandler;
    status = Status.READING;
  }

  @Override
  public Status status() {
    return status;
  }

  @Override
  public void close() {
    status = Status.CONNECTING;
  }

  public void publish(RoutingStats row) {
    handler.onStats(row);
  }

  public void publish(RoutingWeights weights) {
    handler.onWeights(weights);
  }

  public void publishUnreadable() {
    handler.onInvalid("llm.routing-stats", new IllegalArgumentException("not JSON"));
  }

  public void lose() {
    status = Status.CONNECTING;
  }
}
