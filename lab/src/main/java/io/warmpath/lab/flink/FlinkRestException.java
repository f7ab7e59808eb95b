package io.warmpath.lab.flink;

import java.io.IOException;

/** A request to a Flink cluster that failed; the message names the address. */
public final class FlinkRestException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Where there is no answer. */
  public static final int NO_ANSWER = 0;

  private final int status;

  FlinkRestException(String message, int status, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** The answer's HTTP status, or {@link #NO_ANSWER}. */
  public int status() {
    return status;
  }
}
