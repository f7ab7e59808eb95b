package io.warmpath.lab.trace;

import java.io.IOException;

/** A trace that cannot be read. The message names the file, the line and what is wrong there. */
public final class TraceException extends IOException {

  private static final long serialVersionUID = 1L;

  TraceException(String file, long line, String reason) {
    super(file + ":" + line + ": " + reason);
  }

  TraceException(String file, String reason) {
    super(file + ": " + reason);
  }
}
