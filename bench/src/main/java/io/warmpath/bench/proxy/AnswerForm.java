package io.warmpath.bench.proxy;

import java.util.Locale;

/** How the upstreams answer. */
public enum AnswerForm {
  /** One JSON object. */
  JSON,
  /** A short stream, all of it at once. */
  STREAM,
  /** A stream whose chunks come one by one, each with the time at which it was written. */
  PACED;

  /** Its name for people. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
