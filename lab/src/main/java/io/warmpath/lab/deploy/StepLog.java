package io.warmpath.lab.deploy;

import io.warmpath.lab.screen.Screen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Says what is done, for how long it will be, and remembers what was. */
final class StepLog {

  private final Screen screen;
  private final Map<Step, Duration> usual = new EnumMap<>(Step.class);
  private final List<DeployReport.Done> done = new ArrayList<>();
  private Step step;
  private long startNanos;

  StepLog(Screen screen, Duration compareFor, Duration verifyFor) {
    this.screen = screen;
    for (Step each : Step.values()) {
      usual.put(each, each.usual());
    }
    usual.remove(Step.ROLL_BACK);
    usual.put(Step.COMPARE, compareFor);
    usual.put(Step.VERIFY, verifyFor.plusSeconds(5));
  }

  void begin(Step next) {
    step = next;
    startNanos = System.nanoTime();
    progress("");
  }

  /** Says how far the step is. */
  void progress(String state) {
    screen.progress(
        "%s: %s%s; about %d s left"
            .formatted(
                step, step.does(), state.isEmpty() ? "" : "; " + state, leftMillis() / 1_000));
  }

  private long leftMillis() {
    long left = Math.max(0, usual.getOrDefault(step, Duration.ZERO).toMillis() - millis());
    return left
        + usual.entrySet().stream()
            .filter(each -> each.getKey().compareTo(step) > 0)
            .mapToLong(each -> each.getValue().toMillis())
            .sum();
  }

  private long millis() {
    return (System.nanoTime() - startNanos) / 1_000_000;
  }

  /** The step has come to an end, well or not. */
  void end(String result) {
    if (step != null) {
      done.add(new DeployReport.Done(step, millis(), result));
      screen.line("%-10s %5.1f s  %s".formatted(step, millis() / 1e3, result));
      step = null;
    }
  }

  List<DeployReport.Done> done() {
    return List.copyOf(done);
  }
}
