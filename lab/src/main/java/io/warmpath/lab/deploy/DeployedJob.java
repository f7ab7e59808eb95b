package io.warmpath.lab.deploy;

import com.fasterxml.jackson.annotation.JsonValue;
import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.RoutingWeightsJob;
import io.warmpath.jobs.ShadowPolicyJob;
import io.warmpath.schemas.topic.Topics;
import java.util.List;
import java.util.Locale;

/** The jobs that are deployed, and what each publishes. */
public enum DeployedJob {
  STATS(
      RoutingStatsJob.NAME,
      RoutingStatsJob.class.getName(),
      "warmpath-routing-stats",
      RoutingStatsJob.OUTPUTS,
      List.of(ResultTopic.ROUTING_STATS)),
  WEIGHTS(
      RoutingWeightsJob.NAME,
      RoutingWeightsJob.class.getName(),
      "warmpath-routing-weights",
      RoutingWeightsJob.OUTPUTS,
      List.of(ResultTopic.WEIGHT_DECISIONS, ResultTopic.ROUTING_WEIGHTS)),
  SHADOW(
      ShadowPolicyJob.NAME,
      ShadowPolicyJob.class.getName(),
      "warmpath-shadow",
      ShadowPolicyJob.OUTPUTS,
      List.of(ResultTopic.SHADOW_STATS));

  /** All that any of them reads or writes. */
  static final List<String> ALL_TOPICS = Topics.ALL.stream().map(spec -> spec.name()).toList();

  private final String flinkName;
  private final String entryClass;
  private final String defaultGroup;
  private final List<String> outputs;
  private final List<ResultTopic> compared;

  DeployedJob(
      String flinkName,
      String entryClass,
      String defaultGroup,
      List<String> outputs,
      List<ResultTopic> compared) {
    this.flinkName = flinkName;
    this.entryClass = entryClass;
    this.defaultGroup = defaultGroup;
    this.outputs = List.copyOf(outputs);
    this.compared = List.copyOf(compared);
  }

  /** Its name in Flink while it is the one that publishes. */
  String flinkName() {
    return flinkName;
  }

  String entryClass() {
    return entryClass;
  }

  String defaultGroup() {
    return defaultGroup;
  }

  /** Topics that it writes to. */
  List<String> outputs() {
    return outputs;
  }

  /** Those of them that candidates are measured by. */
  List<ResultTopic> compared() {
    return compared;
  }

  /** What a candidate's topics, group and job end with. */
  String trialSuffix() {
    return ".trial-" + this;
  }

  /** As on the command line, and in files. */
  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
