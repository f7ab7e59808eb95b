package io.warmpath.lab.deploy;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How a deployment ended. */
public enum Outcome {
  /** The new version publishes. */
  DEPLOYED(0),
  /** Nothing was done but looking. */
  PLANNED(0),
  /** What an interrupted deployment had left is gone, and one version publishes. */
  RECOVERED(0),
  /** Something failed; the running job is as it was. */
  FAILED(1),
  /** The candidate is not fit to follow; the running job is as it was. */
  REFUSED(3),
  /** The new version did not hold, or was stopped from starting; the old one publishes again. */
  ROLLED_BACK(4),
  /** Nothing is sure to publish: go on with {@code --recover}. */
  UNSETTLED(5);

  private final int exitCode;

  Outcome(int exitCode) {
    this.exitCode = exitCode;
  }

  /** The command's exit code. */
  public int exitCode() {
    return exitCode;
  }

  /** As it is written in files. */
  @JsonValue
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As it is shown. */
  @Override
  public String toString() {
    return id().replace('_', ' ');
  }
}
