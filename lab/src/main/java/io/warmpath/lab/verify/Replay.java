package io.warmpath.lab.verify;

import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.RoutingWeightsJob;
import io.warmpath.jobs.StatsSinks;
import io.warmpath.jobs.StatsSources;
import io.warmpath.jobs.WeightsSinks;
import io.warmpath.jobs.config.KafkaSettings;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.jobs.request.RequestForm;
import io.warmpath.jobs.source.EventTimes;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.source.KafkaSources;
import io.warmpath.jobs.source.RecordForm;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.window.WrittenRow;
import io.warmpath.lab.embedded.EmbeddedFlink;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.WeightDecision;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The jobs on stretches of their topics, with their records in files instead of topics. */
final class Replay {

  /** No partition of a stretch is given up for being slow: it ends by itself. */
  private static final Duration NEVER_IDLE = Duration.ofDays(10_000);

  /** The live job's drift would let no more than that much time pass in a second. */
  private static final Duration DRIFT = Duration.ofMinutes(10);

  private final EmbeddedFlink flink;
  private final int parallelism;
  private final Runnable whileRunning;

  /**
   * @param whileRunning called now and then while a job runs
   */
  Replay(EmbeddedFlink flink, int parallelism, Runnable whileRunning) {
    this.flink = flink;
    this.parallelism = parallelism;
    this.whileRunning = whileRunning;
  }

  /** Writes the rows of a log, those that are not provisional, to a folder. */
  void rows(EventLog log, StatsJobConfig config, Path folder) {
    flink.runToEnd(
        "verify rows", parallelism, env -> defineRows(env, log, config, folder), whileRunning);
  }

  private static void defineRows(
      StreamExecutionEnvironment env, EventLog log, StatsJobConfig config, Path folder) {
    StatsSources sources =
        new StatsSources(
            events(env, log, config, RequestForm.FIGURES, Topics.REQUESTS),
            events(env, log, config, JsonForm.CACHE_EVENTS, Topics.CACHE_EVENTS),
            events(env, log, config, JsonForm.TELEMETRY, Topics.REPLICA_TELEMETRY));
    StatsSinks sinks =
        new StatsSinks(
            new RecordFileSink<>(
                folder,
                (WrittenRow row) -> row.provisional() ? null : row.recordKey(),
                WrittenRow::json),
            new DiscardingSink<>(),
            new DiscardingSink<>());
    RoutingStatsJob.define(env, sources, sinks, config);
  }

  private static <T> DataStream<Inbound<T>> events(
      StreamExecutionEnvironment env,
      EventLog log,
      StatsJobConfig config,
      RecordForm<T> form,
      String topic) {
    EventTimes<T> times =
        EventTimes.<T>of(config.bound(), NEVER_IDLE).alignedIn("verify-rows", DRIFT);
    return env.fromSource(
            source(config.kafka(), log.replayed().get(topic), form), times, "verify: " + topic)
        .uid("verify-" + topic);
  }

  /** Writes the decisions on rows to a folder. */
  void decisions(Stretch rows, WeightsJobConfig config, Path folder) {
    flink.runToEnd(
        "verify decisions",
        parallelism,
        env -> defineDecisions(env, rows, config, folder),
        whileRunning);
  }

  private static void defineDecisions(
      StreamExecutionEnvironment env, Stretch rows, WeightsJobConfig config, Path folder) {
    DataStream<Inbound<RoutingStats>> read =
        env.fromSource(
                source(config.kafka(), rows, JsonForm.STATS),
                WatermarkStrategy.noWatermarks(),
                "verify: " + rows.topic())
            .uid("verify-" + rows.topic());
    WeightsSinks sinks =
        new WeightsSinks(
            new DiscardingSink<>(),
            new RecordFileSink<>(
                folder,
                (WeightDecision decision) -> DecisionKey.of(decision).toString(),
                decision -> RecordKind.WEIGHT_DECISION.codec().encode(decision)),
            new DiscardingSink<>(),
            new DiscardingSink<>());
    RoutingWeightsJob.define(env, read, sinks, config);
  }

  private static <T> KafkaSource<Inbound<T>> source(
      KafkaSettings kafka, Stretch stretch, RecordForm<T> form) {
    return KafkaSources.between(kafka, stretch.topic(), form, stretch.from(), stretch.to());
  }
}
