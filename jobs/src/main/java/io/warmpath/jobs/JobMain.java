package io.warmpath.jobs;

import io.warmpath.jobs.config.Option;
import io.warmpath.jobs.config.Options;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * What the main methods of all jobs do around their own work. They never end the process: it may be
 * a cluster's.
 */
final class JobMain {

  /** Reads a job's configuration and looks whether it can work. */
  interface Configure<C> {
    C from(String[] args);
  }

  /** Adds a job to an environment. */
  interface Attach<C> {
    void to(StreamExecutionEnvironment env, C config);
  }

  private JobMain() {}

  /**
   * Prints help where it is asked for, or runs the job.
   *
   * @throws IllegalArgumentException if an option is wrong; the message begins with its name
   */
  static <C> void run(
      String[] args, String name, List<Option> options, Configure<C> configure, Attach<C> attach)
      throws Exception {
    if (List.of(args).contains("--help")) {
      System.out.print(Options.help("Warmpath " + name + " job", options));
      return;
    }
    C config = configure.from(args);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    attach.to(env, config);
    env.execute("warmpath " + name);
  }
}
