package io.warmpath.jobs.config;

import io.warmpath.jobs.combine.CombineRules;
import io.warmpath.jobs.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Configuration of the routing-stats job.
 *
 * @param kafka how it reaches Kafka
 * @param bound disorder within a partition that is on time
 * @param idleness silence after which a partition holds nobody up
 * @param silence after so long without progress windows are shown provisionally; zero for never
 * @param allowedLateness how far behind {@code bound} an event still changes its windows
 * @param duplicateMemory how long events are known again; zero to take copies for events
 * @param maxFingerprints at most so many events of a partition are known again
 * @param maxKeys at most so many keys of a partition are told apart
 * @param watermarkInterval how often watermarks advance
 * @param maxDrift how far a partition is read ahead of the slowest; zero for no limit
 * @param backlogShare share of a replica's backlog that a request waits for, 0 to 1
 * @param parallelism parallelism of the job; 0 for the cluster's default
 * @param checkpointInterval time between checkpoints; zero for none
 * @param windows the windows that are kept
 */
public record StatsJobConfig(
    KafkaSettings kafka,
    Duration bound,
    Duration idleness,
    Duration silence,
    Duration allowedLateness,
    Duration duplicateMemory,
    int maxFingerprints,
    int maxKeys,
    Duration watermarkInterval,
    Duration maxDrift,
    double backlogShare,
    int parallelism,
    Duration checkpointInterval,
    List<WindowSpec> windows) {

  /** All options, in the order of {@code --help}. */
  public static final List<Option> OPTIONS =
      Stream.concat(
              KafkaSettings.options("warmpath-routing-stats").stream(),
              Stream.of(
                  CommonOptions.BOUND,
                  CommonOptions.IDLENESS,
                  new Option(
                      "silence", "5s", "stillness that ends windows provisionally; 0s for never"),
                  new Option("allowed-lateness", "60s", "lateness that still changes a window"),
                  new Option(
                      "duplicate-memory", "120s", "how long copies are told; 0s to count them"),
                  new Option("max-fingerprints", "4000000", "events known again, by partition"),
                  new Option("max-keys", "16384", "keys told apart, by partition"),
                  CommonOptions.WATERMARK_INTERVAL,
                  CommonOptions.MAX_DRIFT,
                  CommonOptions.BACKLOG_SHARE,
                  CommonOptions.PARALLELISM,
                  CommonOptions.CHECKPOINT_INTERVAL))
          .toList();

  public StatsJobConfig {
    CommonOptions.requirePositive(bound, CommonOptions.BOUND);
    CommonOptions.requirePositive(idleness, CommonOptions.IDLENESS);
    CommonOptions.requirePositive(watermarkInterval, CommonOptions.WATERMARK_INTERVAL);
    CombineRules.of(bound, allowedLateness, duplicateMemory, maxFingerprints, maxKeys);
    windows = List.copyOf(windows);
  }

  /**
   * Reads command-line arguments.
   *
   * @throws IllegalArgumentException if one is wrong; the message begins with its name
   */
  public static StatsJobConfig parse(String... args) {
    Options options = Options.parse(List.of(args), OPTIONS);
    return new StatsJobConfig(
        KafkaSettings.of(options),
        options.duration("bound"),
        options.duration("idleness"),
        options.duration("silence"),
        options.duration("allowed-lateness"),
        options.duration("duplicate-memory"),
        options.count("max-fingerprints", 1),
        options.count("max-keys", 1),
        options.duration("watermark-interval"),
        options.duration("max-drift"),
        options.share("backlog-share"),
        options.count("parallelism", 0),
        options.duration("checkpoint-interval"),
        WindowSpec.DEFAULTS);
  }

  /** The same with other windows. */
  public StatsJobConfig withWindows(List<WindowSpec> others) {
    return new StatsJobConfig(
        kafka,
        bound,
        idleness,
        silence,
        allowedLateness,
        duplicateMemory,
        maxFingerprints,
        maxKeys,
        watermarkInterval,
        maxDrift,
        backlogShare,
        parallelism,
        checkpointInterval,
        others);
  }

  /** Which events count. */
  public CombineRules rules() {
    return CombineRules.of(bound, allowedLateness, duplicateMemory, maxFingerprints, maxKeys);
  }
}
