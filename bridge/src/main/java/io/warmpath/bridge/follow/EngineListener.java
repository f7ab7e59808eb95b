package io.warmpath.bridge.follow;

import io.warmpath.bridge.wire.EngineBatch;

/** Learns what an engine did, in order and without copies. */
public interface EngineListener {

  /** The next message. */
  void onBatch(EngineBatch batch);

  /** The engine was started anew: it holds nothing of what it held. */
  void onRestart();
}
