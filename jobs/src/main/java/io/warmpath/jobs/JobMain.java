package io.warmpath.jobs;

import io.warmpath.jobs.config.Option;
import io.warmpath.jobs.config.Options;
import java.util.List;

/** What the main methods of all jobs do around their own work. */
final class JobMain {

  private static final int USAGE_ERROR = 2;

  /** A job's own work. */
  interface Start {
    void with(String[] args) throws Exception;
  }

  private JobMain() {}

  /**
   * Prints help where it is asked for, or starts the job; what is wrong with an option goes out.
   */
  static void run(String[] args, String title, List<Option> options, Start start) throws Exception {
    if (List.of(args).contains("--help")) {
      System.out.print(Options.help(title, options));
      return;
    }
    try {
      start.with(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(USAGE_ERROR);
    }
  }
}
