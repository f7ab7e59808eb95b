package io.warmpath.console;

import io.warmpath.console.source.ResultHandler;
import io.warmpath.console.source.ResultSource;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;

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

  public void publish(ShadowStats window) {
    handler.onShadow(window);
  }

  public void publish(WeightDecision decision) {
    handler.onDecision(decision);
  }

  public void publish(DeadLetter letter) {
    handler.onDeadLetter(letter);
  }

  public void publishUnreadable() {
    handler.onInvalid("llm.routing-stats", new IllegalArgumentException("not JSON"));
  }

  public void lose() {
    status = Status.CONNECTING;
  }
}
