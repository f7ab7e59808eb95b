package io.warmpath.jobs.savepoint;

import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.RoutingWeightsJob;
import io.warmpath.jobs.ShadowPolicyJob;
import io.warmpath.jobs.config.ShadowJobConfig;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The jobs of which savepoints are kept. */
enum SavedJob {
  ROUTING_STATS(
      SavedInput::ofStats,
      Topics.ROUTING_STATS,
      (env, servers) -> RoutingStatsJob.attach(env, StatsJobConfig.parse(arguments(servers)))),
  ROUTING_WEIGHTS(
      SavedInput::ofWeights,
      Topics.WEIGHT_DECISIONS,
      (env, servers) ->
          RoutingWeightsJob.attach(
              env,
              WeightsJobConfig.parse(
                  "--bootstrap-servers", servers, "--checkpoint-interval", "0s"))),
  SHADOW(
      SavedInput::ofShadow,
      Topics.SHADOW_STATS,
      (env, servers) ->
          ShadowPolicyJob.attach(
              env,
              ShadowJobConfig.parse(
                  arguments(
                      servers,
                      "--capacity-blocks",
                      "20",
                      "--sample-rate",
                      "1",
                      "--weights-idleness",
                      "1s"))));

  private final Supplier<List<LoggedRecord>> input;
  private final String output;
  private final BiConsumer<StreamExecutionEnvironment, String> attach;

  SavedJob(
      Supplier<List<LoggedRecord>> input,
      String output,
      BiConsumer<StreamExecutionEnvironment, String> attach) {
    this.input = input;
    this.output = output;
    this.attach = attach;
  }

  /** All partitions have records to the end, so each is waited for. */
  private static String[] arguments(String servers, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--bootstrap-servers",
                servers,
                "--checkpoint-interval",
                "0s",
                "--idleness",
                "2m",
                "--max-drift",
                "0s"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  /** Name of its folder. */
  String folder() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Input for a new savepoint. */
  List<LoggedRecord> newInput() {
    return input.get();
  }

  /** The topic of its results. */
  String output() {
    return output;
  }

  /** Adds the job to an environment. */
  void attach(StreamExecutionEnvironment env, String servers) {
    attach.accept(env, servers);
  }

  /** Whether a result can only be there when all of the input was read. */
  boolean isLast(ConsumerRecord<byte[], byte[]> result, List<LoggedRecord> input) {
    if (this != ROUTING_WEIGHTS) {
      return new String(result.key(), StandardCharsets.UTF_8).startsWith(SavedInput.CLOSING);
    }
    byte[] lastRow = input.get(input.size() - 1).bytes();
    return Codecs.WEIGHT_DECISION.decode(result.value()).windowEndMs()
        == Codecs.ROUTING_STATS.decode(lastRow).windowEndMs();
  }

  /** What tells a result from others. */
  String keyOf(ConsumerRecord<byte[], byte[]> result) {
    return this == ROUTING_WEIGHTS
        ? Long.toString(Codecs.WEIGHT_DECISION.decode(result.value()).epoch())
        : new String(result.key(), StandardCharsets.UTF_8);
  }
}
