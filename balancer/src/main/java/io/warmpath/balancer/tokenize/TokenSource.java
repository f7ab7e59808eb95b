package io.warmpath.balancer.tokenize;

import java.util.Locale;

/** Where what is known of a prompt's tokens comes from. */
enum TokenSource {
  /** The engine told them for the same prompt before. */
  KNOWN,
  /** The request was routed after the engine told them. */
  ASKED,
  /** The client sent token ids. */
  GIVEN,
  /** The engine did not tell them in time. */
  LATE,
  /** The engine is asked, but the request did not wait: so long a prompt took too long before. */
  NOT_AWAITED,
  /** The engine gave no answer, or none that makes sense. */
  FAILED,
  /** The engine was not asked: it failed a moment ago, or no replica is up. */
  PAUSED,
  /** The engine was not asked: too many questions are open. */
  BUSY,
  /** The engine cannot be asked for this kind of prompt. */
  UNSUPPORTED;

  /** Name in metrics. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
