package io.warmpath.jobs.config;

import io.warmpath.routing.control.ControlConfig;
import java.time.Duration;

/** Options that several jobs have, with one default and one meaning. */
final class CommonOptions {

  static final Option BOUND =
      new Option("bound", "2s", "disorder within a partition that is on time");

  static final Option IDLENESS =
      new Option("idleness", "1s", "silence after which a partition is not waited for");

  static final Option WATERMARK_INTERVAL =
      new Option("watermark-interval", "100ms", "how often watermarks advance");

  static final Option MAX_DRIFT =
      new Option("max-drift", "30s", "read-ahead among partitions; 0s for no limit");

  static final Option BACKLOG_SHARE =
      new Option(
          "backlog-share",
          String.valueOf(ControlConfig.DEFAULT_BACKLOG_SHARE),
          "share of the backlog a request waits for");

  static final Option PARALLELISM =
      new Option("parallelism", "0", "parallelism; 0 for the cluster's default");

  static final Option CHECKPOINT_INTERVAL =
      new Option("checkpoint-interval", "10s", "time between checkpoints; 0s for none");

  private CommonOptions() {}

  /**
   * Returns if a duration is one.
   *
   * @throws IllegalArgumentException if it is zero; the message begins with the option's name
   */
  static void requirePositive(Duration duration, Option option) {
    if (duration.isZero()) {
      throw new IllegalArgumentException("--" + option.name() + ": must be longer than 0");
    }
  }
}
