package io.warmpath.jobs;

import io.warmpath.jobs.config.JobEnvironment;
import io.warmpath.jobs.config.KafkaSettings;
import io.warmpath.jobs.config.ShadowJobConfig;
import io.warmpath.jobs.config.TopicCheck;
import io.warmpath.jobs.shadow.ShadowOperator;
import io.warmpath.jobs.shadow.ShadowedEvents;
import io.warmpath.jobs.sink.DeadLetterWriter;
import io.warmpath.jobs.sink.KafkaSinks;
import io.warmpath.jobs.sink.ShadowWriter;
import io.warmpath.jobs.source.EventTimes;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.InboundSerializer;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.source.KafkaSources;
import io.warmpath.jobs.source.RefusedAside;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.types.ValueTypeInfo;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.RoutingWeights;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Says what other policies would give on the very traffic that is routed, without changing a route.
 *
 * <pre>
 *      llm.requests         llm.routing-weights
 *           │                        │
 *   source, watermarks       source, watermarks
 *           │                        │
 *     refused aside ─ ─ ┐      refused aside ─ ─ ─ ▶ llm.dead-letters
 *           │           └ ─ ─ ─ ─ ─ ─│─ ─ ─ ─ ─ ─ ─ ▲
 *    shadowed events              weights
 *           │                        │
 *           └─ keyed by model ───────┘
 *                     │
 *                  shadows      k policies at several capacities
 *                     │
 *              llm.shadow-stats
 * </pre>
 */
public final class ShadowPolicyJob {

  /** Its name in Flink, but for the suffix of a trial. */
  public static final String NAME = "warmpath shadow";

  static final Map<String, RecordKind<?>> INPUTS =
      Map.of(
          Topics.REQUESTS, RecordKind.REQUEST_EVENT,
          Topics.ROUTING_WEIGHTS, RecordKind.ROUTING_WEIGHTS);

  /** Topics that it writes to, but for the suffix of a trial. */
  public static final List<String> OUTPUTS = List.of(Topics.SHADOW_STATS, Topics.DEAD_LETTERS);

  private ShadowPolicyJob() {}

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
        ShadowJobConfig.OPTIONS,
        ShadowPolicyJob::configure,
        ShadowJobConfig::kafka,
        ShadowPolicyJob::attach);
  }

  private static ShadowJobConfig configure(String[] args) {
    ShadowJobConfig config = ShadowJobConfig.parse(args);
    TopicCheck.require(config.kafka(), JobMain.topics(INPUTS, OUTPUTS, config.kafka()), INPUTS);
    return config;
  }

  /** Adds the job to an environment, reading from and writing to Kafka. */
  public static void attach(StreamExecutionEnvironment env, ShadowJobConfig config) {
    KafkaSettings kafka = config.kafka();
    prepare(env, config);
    JobEnvironment.readEndlessly(env);
    EventTimes<RequestEvent> times = EventTimes.of(config.bound(), config.idleness());
    if (!config.maxDrift().isZero()) {
      times = times.alignedIn("shadow", config.maxDrift());
    }
    DataStream<Inbound<RequestEvent>> requests =
        env.fromSource(
                KafkaSources.of(kafka, Topics.REQUESTS, JsonForm.REQUESTS),
                times,
                "shadow: read requests")
            .uid("shadow-requests-source");
    DataStream<Inbound<RoutingWeights>> weights =
        env.fromSource(
                KafkaSources.of(kafka, Topics.ROUTING_WEIGHTS, JsonForm.WEIGHTS),
                EventTimes.<RoutingWeights>of(Duration.ZERO, config.weightsIdleness()),
                "shadow: read weights")
            .uid("shadow-weights-source");
    ShadowSinks sinks =
        new ShadowSinks(
            KafkaSinks.of(kafka, "shadow", new ShadowWriter(kafka.output(Topics.SHADOW_STATS))),
            KafkaSinks.of(
                kafka, "dead-letters", new DeadLetterWriter(kafka.output(Topics.DEAD_LETTERS))));
    define(env, requests, weights, sinks, config);
  }

  /** Adds the job to an environment between given sources and sinks. */
  public static void define(
      StreamExecutionEnvironment env,
      DataStream<Inbound<RequestEvent>> requests,
      DataStream<Inbound<RoutingWeights>> weights,
      ShadowSinks sinks,
      ShadowJobConfig config) {
    prepare(env, config);
    SingleOutputStreamOperator<Inbound<RequestEvent>> understoodRequests =
        requests
            .process(new RefusedAside<RequestEvent>(), InboundSerializer.typeOf(JsonForm.REQUESTS))
            .setParallelism(requests.getParallelism())
            .uid("shadow-requests-refused-aside")
            .name("shadow: set refused requests aside");
    SingleOutputStreamOperator<Inbound<RoutingWeights>> understoodWeights =
        weights
            .process(new RefusedAside<RoutingWeights>(), InboundSerializer.typeOf(JsonForm.WEIGHTS))
            .setParallelism(weights.getParallelism())
            .uid("shadow-weights-refused-aside")
            .name("shadow: set refused weights aside");
    DataStream<RequestEvent> shadowed =
        understoodRequests
            .flatMap(
                new ShadowedEvents(config.sampleRate()), ValueTypeInfo.of(RecordKind.REQUEST_EVENT))
            .setParallelism(requests.getParallelism())
            .uid("shadow-events")
            .name("shadow: keep shadowed events");
    FlatMapFunction<Inbound<RoutingWeights>, RoutingWeights> unwrap =
        (inbound, out) -> {
          if (inbound instanceof Inbound.Parsed<RoutingWeights> parsed) {
            out.collect(parsed.value());
          }
        };
    DataStream<RoutingWeights> published =
        understoodWeights
            .flatMap(unwrap, ValueTypeInfo.of(RecordKind.ROUTING_WEIGHTS))
            .setParallelism(weights.getParallelism())
            .uid("shadow-weights")
            .name("shadow: unwrap weights");

    shadowed
        .keyBy(event -> event.context().model(), Types.STRING)
        .connect(published.keyBy(RoutingWeights::model, Types.STRING))
        .transform(
            "shadow: play", ValueTypeInfo.of(RecordKind.SHADOW_STATS), new ShadowOperator(config))
        .uid("shadow-policies")
        .sinkTo(sinks.stats())
        .uid(config.kafka().sinkUid("shadow-sink"))
        .name("shadow: write rows");
    understoodRequests
        .getSideOutput(RefusedAside.REFUSED)
        .union(understoodWeights.getSideOutput(RefusedAside.REFUSED))
        .sinkTo(sinks.refusals())
        .uid(config.kafka().sinkUid("shadow-dead-letters-sink"))
        .name("shadow: write dead letters");
  }

  private static void prepare(StreamExecutionEnvironment env, ShadowJobConfig config) {
    JobEnvironment.apply(env, config.kafka(), config.parallelism(), config.checkpointInterval());
    env.getConfig().setAutoWatermarkInterval(config.watermarkInterval().toMillis());
  }
}
