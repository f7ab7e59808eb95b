package io.warmpath.jobs.config;

import io.warmpath.routing.control.ControlConfig;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Configuration of the routing-weights job.
 *
 * @param kafka how it reaches Kafka
 * @param backlogShare share of a replica's backlog that a request waits for, 0 to 1; the same as in
 *     the stats job
 * @param unevenBacklogShare the share that is published while a replica is degraded, 0 to 1
 * @param parallelism parallelism of the job; 0 for the cluster's default
 * @param checkpointInterval time between checkpoints; zero for none
 */
public record WeightsJobConfig(
    KafkaSettings kafka,
    double backlogShare,
    double unevenBacklogShare,
    int parallelism,
    Duration checkpointInterval)
    implements Serializable {

  /** All options, in the order of {@code --help}. */
  public static final List<Option> OPTIONS =
      Stream.concat(
              KafkaSettings.options("warmpath-routing-weights").stream(),
              Stream.of(
                  CommonOptions.BACKLOG_SHARE,
                  new Option(
                      "uneven-backlog-share",
                      String.valueOf(ControlConfig.DEFAULTS.unevenBacklogShare()),
                      "the same while a replica is degraded"),
                  CommonOptions.PARALLELISM,
                  CommonOptions.CHECKPOINT_INTERVAL))
          .toList();

  /**
   * Reads command-line arguments.
   *
   * @throws IllegalArgumentException if one is wrong; the message begins with its name
   */
  public static WeightsJobConfig parse(String... args) {
    Options options = Options.parse(List.of(args), OPTIONS);
    return new WeightsJobConfig(
        KafkaSettings.of(options),
        options.share("backlog-share"),
        options.share("uneven-backlog-share"),
        options.count("parallelism", 0),
        options.duration("checkpoint-interval"));
  }

  /** The control law's constants. */
  public ControlConfig control() {
    ControlConfig defaults = ControlConfig.DEFAULTS;
    return new ControlConfig(
        backlogShare,
        unevenBacklogShare,
        defaults.minSamples(),
        defaults.failurePenalty(),
        defaults.maxRejectedShare(),
        defaults.leaseMillis(),
        defaults.degradedFactor(),
        defaults.damping(),
        defaults.slowStart(),
        defaults.evidence(),
        defaults.policies());
  }
}
