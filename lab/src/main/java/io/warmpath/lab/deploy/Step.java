package io.warmpath.lab.deploy;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;
import java.util.Locale;

/** What a deployment does, in this order. */
public enum Step {
  PLAN("looks at the cluster", Duration.ofSeconds(2)),
  CHECK("runs the candidate here, on a savepoint of the running job", Duration.ofSeconds(25)),
  TRIAL(
      "starts the candidate beside the running job, with outputs of its own",
      Duration.ofSeconds(15)),
  COMPARE("compares its windows with those published", Duration.ZERO),
  CUT("stops the running job with a savepoint", Duration.ofSeconds(10)),
  START("starts the new version from it", Duration.ofSeconds(20)),
  VERIFY("compares its first windows with the candidate's", Duration.ZERO),
  CLEAN_UP("takes the candidate and its topics away", Duration.ofSeconds(5)),
  ROLL_BACK("starts the old version from the savepoint", Duration.ofSeconds(20));

  private final String does;
  private final Duration usual;

  Step(String does, Duration usual) {
    this.does = does;
    this.usual = usual;
  }

  /** What happens in it, for people. */
  public String does() {
    return does;
  }

  /** How long it usually takes; zero where the options say. */
  Duration usual() {
    return usual;
  }

  /** Whether the job that was running may be stopped by now. */
  boolean isAfterCut() {
    return compareTo(CUT) >= 0;
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
