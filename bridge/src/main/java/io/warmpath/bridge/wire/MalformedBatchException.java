package io.warmpath.bridge.wire;

/** A message that cannot be read at all. Without a trace: hostile ones come by the thousand. */
public final class MalformedBatchException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedBatchException(String message, Throwable cause) {
    super(message, cause, false, false);
  }
}
