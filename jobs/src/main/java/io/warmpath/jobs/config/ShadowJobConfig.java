package io.warmpath.jobs.config;

import io.warmpath.routing.shadow.SampleRate;
import io.warmpath.routing.shadow.ShadowSettings;
import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Configuration of the shadow job.
 *
 * @param kafka how it reaches Kafka
 * @param policies policies evaluated, by name
 * @param factors KV capacities in multiples of the real one, rising
 * @param capacityBlocks KV blocks of one replica, at least 1
 * @param sampleRate share of the blocks looked at, at most the balancers' own; above 0
 * @param bound disorder within a partition that is on time
 * @param idleness silence after which a partition of requests holds nobody up
 * @param weightsIdleness likewise for weights, which come every 5 s
 * @param maxDrift how far a partition is read ahead of the slowest; zero for no limit
 * @param watermarkInterval how often watermarks advance
 * @param maxBuffered events of a model that wait for the watermark at most
 * @param parallelism parallelism of the job; 0 for the cluster's default
 * @param checkpointInterval time between checkpoints; zero for none
 */
public record ShadowJobConfig(
    KafkaSettings kafka,
    List<String> policies,
    List<Double> factors,
    int capacityBlocks,
    double sampleRate,
    Duration bound,
    Duration idleness,
    Duration weightsIdleness,
    Duration maxDrift,
    Duration watermarkInterval,
    int maxBuffered,
    int parallelism,
    Duration checkpointInterval)
    implements Serializable {

  private static final long WINDOW_MS = 60_000;

  private static final Option WEIGHTS_IDLENESS =
      new Option("weights-idleness", "15s", "likewise for weights");

  /** All options, in the order of {@code --help}. */
  public static final List<Option> OPTIONS =
      Stream.concat(
              KafkaSettings.options("warmpath-shadow").stream(),
              Stream.of(
                  new Option("capacity-blocks", null, "KV blocks of one replica"),
                  new Option(
                      "policies",
                      "round_robin,prefix_affinity,cache_aware,adaptive",
                      "policies evaluated, by comma"),
                  new Option("capacity-factors", "0.5,1,2,4", "multiples of the capacity"),
                  new Option("sample-rate", "0.1", "share of the blocks; the balancers' or less"),
                  CommonOptions.BOUND,
                  CommonOptions.IDLENESS,
                  WEIGHTS_IDLENESS,
                  CommonOptions.MAX_DRIFT,
                  CommonOptions.WATERMARK_INTERVAL,
                  new Option("max-buffered", "100000", "events that wait, by model"),
                  CommonOptions.PARALLELISM,
                  CommonOptions.CHECKPOINT_INTERVAL))
          .toList();

  public ShadowJobConfig {
    policies = List.copyOf(policies);
    factors = List.copyOf(factors);
    CommonOptions.requirePositive(bound, CommonOptions.BOUND);
    CommonOptions.requirePositive(idleness, CommonOptions.IDLENESS);
    CommonOptions.requirePositive(weightsIdleness, WEIGHTS_IDLENESS);
    CommonOptions.requirePositive(watermarkInterval, CommonOptions.WATERMARK_INTERVAL);
    if (!(sampleRate > 0)) {
      throw new IllegalArgumentException("--sample-rate: must be above 0");
    }
  }

  /**
   * Reads command-line arguments.
   *
   * @throws IllegalArgumentException if one is wrong; the message begins with its name
   */
  public static ShadowJobConfig parse(String... args) {
    Options options = Options.parse(List.of(args), OPTIONS);
    ShadowJobConfig config =
        new ShadowJobConfig(
            KafkaSettings.of(options),
            Arrays.asList(options.text("policies").split(",")),
            factors(options.text("capacity-factors")),
            options.count("capacity-blocks", 1),
            options.share("sample-rate"),
            options.duration("bound"),
            options.duration("idleness"),
            options.duration("weights-idleness"),
            options.duration("max-drift"),
            options.duration("watermark-interval"),
            options.count("max-buffered", 1),
            options.count("parallelism", 0),
            options.duration("checkpoint-interval"));
    try {
      config.settings();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--policies or --capacity-factors: " + e.getMessage(), e);
    }
    return config;
  }

  private static List<Double> factors(String text) {
    try {
      return Arrays.stream(text.split(",")).map(Double::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "--capacity-factors: must be numbers by comma, not '" + text + "'", e);
    }
  }

  /** What the shadows evaluate. */
  public ShadowSettings settings() {
    return new ShadowSettings(
        policies, factors, capacityBlocks, new SampleRate(sampleRate), WINDOW_MS);
  }
}
