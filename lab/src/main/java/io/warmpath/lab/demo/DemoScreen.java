package io.warmpath.lab.demo;

import java.util.List;

/** Where a demo shows what it does. */
public interface DemoScreen {

  /** A line of text. */
  void note(String text);

  /** An arm begins. */
  void armStarts(String policy);

  /** Requests of an arm have been answered; called from any thread. */
  void armProgress(String policy, int answered, int requests);

  /** An arm is over, and its figures are read. */
  void armDone(ArmFigures figures);

  /** All arms are over. */
  void comparison(List<ArmFigures> arms);

  /** The last act begins. */
  void slowdownStarts(String replica);

  /** The last act is over. */
  void slowdown(SlowdownFigures figures);

  /** All is over. */
  void verdict(DemoReport report);
}
