package io.warmpath.jobs;

import io.warmpath.jobs.config.KafkaSettings;
import io.warmpath.jobs.config.Option;
import io.warmpath.jobs.config.Options;
import io.warmpath.jobs.types.RecordKind;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
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
   * @param name the job's name in Flink; with the suffix of its outputs, where they have one
   * @throws IllegalArgumentException if an option is wrong; the message begins with its name
   */
  static <C> void run(
      String[] args,
      String name,
      List<Option> options,
      Configure<C> configure,
      Function<C, KafkaSettings> kafka,
      Attach<C> attach)
      throws Exception {
    if (List.of(args).contains("--help")) {
      System.out.print(Options.help(name + " job", options));
      return;
    }
    C config = configure.from(args);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    attach.to(env, config);
    env.execute(name + kafka.apply(config).outputSuffix());
  }

  /** All topics that a job needs. */
  static List<String> topics(
      Map<String, RecordKind<?>> inputs, List<String> outputs, KafkaSettings kafka) {
    return Stream.concat(inputs.keySet().stream(), outputs.stream().map(kafka::output)).toList();
  }
}
