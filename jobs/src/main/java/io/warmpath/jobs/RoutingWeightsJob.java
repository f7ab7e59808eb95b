package io.warmpath.jobs;

import io.warmpath.jobs.config.JobEnvironment;
import io.warmpath.jobs.config.KafkaSettings;
import io.warmpath.jobs.config.TopicCheck;
import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.jobs.sink.DeadLetterWriter;
import io.warmpath.jobs.sink.KafkaSinks;
import io.warmpath.jobs.sink.ModelWriter;
import io.warmpath.jobs.sink.TombstoneWriter;
import io.warmpath.jobs.source.EventTimes;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.InboundSerializer;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.source.KafkaSources;
import io.warmpath.jobs.source.RefusedAside;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.types.ValueTypeInfo;
import io.warmpath.jobs.weights.DecidingRows;
import io.warmpath.jobs.weights.WeightsDecider;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.RoutingWeights;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Turns the 60-s rows of the routing-stats job into routing weights by the control law.
 *
 * <pre>
 *       llm.routing-stats
 *              │
 *            source
 *              │
 *        refused aside ─ ─ ─ ▶ llm.dead-letters
 *              │
 *   60-s rows over all policies
 *              │
 *         keyed by model
 *              │
 *           decider  ─ ─ ─ ─ ▶ llm.weight-decisions
 *              │
 *      llm.routing-weights
 * </pre>
 *
 * <p>The epoch of weights is the end of the window that decided, so it rises strictly whatever
 * happens. After a restart from a checkpoint or savepoint the job goes on exactly. Started without
 * one, it goes on at its group's committed offsets with a law that knows nothing yet, and so with
 * newer epochs than it has published; only a group that never committed begins at the oldest row.
 */
public final class RoutingWeightsJob {

  /** Its name in Flink, but for the suffix of a trial. */
  public static final String NAME = "warmpath routing-weights";

  static final Map<String, RecordKind<?>> INPUTS =
      Map.of(Topics.ROUTING_STATS, RecordKind.ROUTING_STATS);

  /** Topics that it writes to, but for the suffix of a trial. */
  public static final List<String> OUTPUTS =
      List.of(Topics.ROUTING_WEIGHTS, Topics.WEIGHT_DECISIONS, Topics.DEAD_LETTERS);

  /** Times only tell which models are gone, which is a matter of an hour. */
  private static final Duration DISORDER = Duration.ofMinutes(10);

  private static final Duration IDLENESS = Duration.ofMinutes(1);

  private RoutingWeightsJob() {}

  /**
   * Runs the job until it is cancelled.
   *
   * @throws IllegalArgumentException if an option is wrong, no broker answers, or a topic is
   *     missing or holds other records; the message names it
   */
  public static void main(String[] args) throws Exception {
    JobMain.run(
        args,
        NAME,
        WeightsJobConfig.OPTIONS,
        RoutingWeightsJob::configure,
        WeightsJobConfig::kafka,
        RoutingWeightsJob::attach);
  }

  private static WeightsJobConfig configure(String[] args) {
    WeightsJobConfig config = WeightsJobConfig.parse(args);
    TopicCheck.require(config.kafka(), JobMain.topics(INPUTS, OUTPUTS, config.kafka()), INPUTS);
    return config;
  }

  /** Adds the job to an environment, reading from and writing to Kafka. */
  public static void attach(StreamExecutionEnvironment env, WeightsJobConfig config) {
    KafkaSettings kafka = config.kafka();
    prepare(env, config);
    JobEnvironment.readEndlessly(env);
    DataStream<Inbound<RoutingStats>> rows =
        env.fromSource(
                KafkaSources.of(kafka, Topics.ROUTING_STATS, JsonForm.STATS),
                EventTimes.of(DISORDER, IDLENESS),
                "weights: read rows")
            .uid("weights-rows-source");
    WeightsSinks sinks =
        new WeightsSinks(
            KafkaSinks.of(
                kafka, "weights", ModelWriter.ofWeights(kafka.output(Topics.ROUTING_WEIGHTS))),
            KafkaSinks.of(
                kafka, "decisions", ModelWriter.ofDecisions(kafka.output(Topics.WEIGHT_DECISIONS))),
            KafkaSinks.of(kafka, "gone", new TombstoneWriter(kafka.output(Topics.ROUTING_WEIGHTS))),
            KafkaSinks.of(
                kafka, "dead-letters", new DeadLetterWriter(kafka.output(Topics.DEAD_LETTERS))));
    define(env, rows, sinks, config);
  }

  /** Adds the job to an environment between a given source and sinks. */
  public static void define(
      StreamExecutionEnvironment env,
      DataStream<Inbound<RoutingStats>> rows,
      WeightsSinks sinks,
      WeightsJobConfig config) {
    prepare(env, config);
    // As parallel as the source up to the key, as partitions must keep their order.
    SingleOutputStreamOperator<Inbound<RoutingStats>> understood =
        rows.process(new RefusedAside<RoutingStats>(), InboundSerializer.typeOf(JsonForm.STATS))
            .setParallelism(rows.getParallelism())
            .uid("weights-rows-refused-aside")
            .name("weights: set refused rows aside");
    SingleOutputStreamOperator<RoutingWeights> weights =
        understood
            .flatMap(new DecidingRows(), ValueTypeInfo.of(RecordKind.ROUTING_STATS))
            .setParallelism(rows.getParallelism())
            .uid("weights-deciding-rows")
            .name("weights: keep deciding rows")
            .keyBy(RoutingStats::model, Types.STRING)
            .process(new WeightsDecider(config), ValueTypeInfo.of(RecordKind.ROUTING_WEIGHTS))
            .uid("weights-decider")
            .name("weights: decide");

    weights
        .sinkTo(sinks.weights())
        .uid(config.kafka().sinkUid("weights-sink"))
        .name("weights: write weights");
    weights
        .getSideOutput(WeightsDecider.DECISIONS)
        .sinkTo(sinks.decisions())
        .uid(config.kafka().sinkUid("weights-decisions-sink"))
        .name("weights: write decisions");
    weights
        .getSideOutput(WeightsDecider.GONE)
        .sinkTo(sinks.gone())
        .uid(config.kafka().sinkUid("weights-gone-sink"))
        .name("weights: take back weights");
    understood
        .getSideOutput(RefusedAside.REFUSED)
        .sinkTo(sinks.refusals())
        .uid(config.kafka().sinkUid("weights-dead-letters-sink"))
        .name("weights: write dead letters");
  }

  private static void prepare(StreamExecutionEnvironment env, WeightsJobConfig config) {
    JobEnvironment.apply(env, config.kafka(), config.parallelism(), config.checkpointInterval());
  }
}
