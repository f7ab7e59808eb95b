package io.warmpath.bridge.wire;

/** An event that holds something else than it should; the next one may be good again. */
final class MalformedEventException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MalformedEventException(String message) {
    super(message, null, false, false);
  }
}
