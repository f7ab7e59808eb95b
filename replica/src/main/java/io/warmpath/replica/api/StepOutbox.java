package io.warmpath.replica.api;

import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries what a step produced from the engine's thread to the event loop: one hand-over a step,
 * however many sequences ran.
 */
public final class StepOutbox {

  private final Context eventLoop;
  private List<Runnable> pending = new ArrayList<>();

  public StepOutbox(Context eventLoop) {
    this.eventLoop = eventLoop;
  }

  /** Keeps a task for the event loop. Engine's thread only. */
  void post(Runnable task) {
    pending.add(task);
  }

  /** Hands all tasks over, in order. Engine's thread only. */
  public void flush() {
    if (pending.isEmpty()) {
      return;
    }
    List<Runnable> tasks = pending;
    pending = new ArrayList<>(tasks.size());
    eventLoop.runOnContext(ignored -> tasks.forEach(Runnable::run));
  }
}
