package io.warmpath.lab.cli;

import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.WeightsJobConfig;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** How the live jobs ran: their options that change what they publish. */
final class LiveJobOptions {

  @Option(
      names = "--bound",
      paramLabel = "DURATION",
      description = "--bound of the live statistics job, if not the default; so for the next.")
  private String bound;

  @Option(
      names = "--allowed-lateness",
      paramLabel = "DURATION",
      description = "--allowed-lateness of that job.")
  private String allowedLateness;

  @Option(
      names = "--duplicate-memory",
      paramLabel = "DURATION",
      description = "--duplicate-memory of that job.")
  private String duplicateMemory;

  @Option(
      names = "--max-fingerprints",
      paramLabel = "N",
      description = "--max-fingerprints of that job.")
  private String maxFingerprints;

  @Option(names = "--max-keys", paramLabel = "N", description = "--max-keys of that job.")
  private String maxKeys;

  @Option(
      names = "--backlog-share",
      paramLabel = "SHARE",
      description = "--backlog-share of both jobs.")
  private String backlogShare;

  @Option(
      names = "--uneven-backlog-share",
      paramLabel = "SHARE",
      description = "--uneven-backlog-share of the weights job.")
  private String unevenBacklogShare;

  /**
   * The statistics job's configuration.
   *
   * @throws IllegalArgumentException if an option is wrong, in the job's own words
   */
  StatsJobConfig stats(KafkaOptions kafka) {
    List<String> options = common(kafka);
    add(options, "--bound", bound);
    add(options, "--allowed-lateness", allowedLateness);
    add(options, "--duplicate-memory", duplicateMemory);
    add(options, "--max-fingerprints", maxFingerprints);
    add(options, "--max-keys", maxKeys);
    return StatsJobConfig.parse(options.toArray(String[]::new));
  }

  /**
   * The weights job's configuration.
   *
   * @throws IllegalArgumentException if an option is wrong, in the job's own words
   */
  WeightsJobConfig weights(KafkaOptions kafka) {
    List<String> options = common(kafka);
    add(options, "--uneven-backlog-share", unevenBacklogShare);
    return WeightsJobConfig.parse(options.toArray(String[]::new));
  }

  private List<String> common(KafkaOptions kafka) {
    List<String> options = new ArrayList<>();
    add(options, "--bootstrap-servers", kafka.bootstrapServers());
    add(options, "--group-id", "warmpath-verify-log");
    add(options, "--checkpoint-interval", "0s");
    add(options, "--backlog-share", backlogShare);
    kafka
        .properties()
        .forEach(
            (name, value) -> {
              if (!name.equals("bootstrap.servers")) {
                add(options, "--kafka." + name, value.toString());
              }
            });
    return options;
  }

  private static void add(List<String> options, String name, String value) {
    if (value != null) {
      options.add(name + "=" + value);
    }
  }
}
