package io.warmpath.jobs;

import io.warmpath.jobs.combine.CacheContribution;
import io.warmpath.jobs.combine.Contribution;
import io.warmpath.jobs.combine.DroppedEvent;
import io.warmpath.jobs.combine.PaneCombiner;
import io.warmpath.jobs.combine.RequestContribution;
import io.warmpath.jobs.combine.TelemetryContribution;
import io.warmpath.jobs.config.JobEnvironment;
import io.warmpath.jobs.config.KafkaSettings;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.TopicCheck;
import io.warmpath.jobs.pane.KeyedPane;
import io.warmpath.jobs.pane.KeyedPaneSerializer;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.request.RequestFigures;
import io.warmpath.jobs.request.RequestForm;
import io.warmpath.jobs.sink.DeadLetterWriter;
import io.warmpath.jobs.sink.DroppedLog;
import io.warmpath.jobs.sink.KafkaSinks;
import io.warmpath.jobs.sink.StatsWriter;
import io.warmpath.jobs.source.EventTimes;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.InboundSerializer;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.source.KafkaSources;
import io.warmpath.jobs.source.RecordForm;
import io.warmpath.jobs.source.Refusal;
import io.warmpath.jobs.source.RefusedAside;
import io.warmpath.jobs.types.RecordKind;
import io.warmpath.jobs.window.PaneRing;
import io.warmpath.jobs.window.RowOrder;
import io.warmpath.jobs.window.WrittenRow;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.topic.Topics;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Turns request events, cache events and telemetry into windowed statistics of each model, policy
 * and replica, and of all their roll-ups.
 *
 * <pre>
 *  llm.requests           llm.cache-events       llm.replica-telemetry
 *       │                       │                       │
 *  source, watermarks      source, watermarks      source, watermarks
 *       │                       │                       │
 *  refused aside ─ ─ ┐     refused aside ─ ─ ┐     refused aside ─ ─ ┐      refused records
 *       │            └ ─ ─ ─ ─ ─│─ ─ ─ ─ ─ ─ ┴ ─ ─ ─ ─ ─ │─ ─ ─ ─ ─ ─ ┴ ─ ▶ llm.dead-letters
 *  pane combiner           pane combiner           pane combiner            one chain each;
 *       │                       │                       │   what is too late goes aside, to the log
 *       └──────────┬────────────┴───────────────────────┘   panes of a second, of keys
 *                  │                                        and of roll-ups
 *        keyed by model, policy, replica
 *                  │
 *              pane ring        merges panes into windows when the watermark passes,
 *                  │            again when one comes late, and by the clock in silence
 *            keyed by model
 *                  │
 *              row order        rows of a window end together, the total last
 *                  │
 *            llm.routing-stats
 * </pre>
 */
public final class RoutingStatsJob {

  /** Its name in Flink, but for the suffix of a trial. */
  public static final String NAME = "warmpath routing-stats";

  static final Map<String, RecordKind<?>> INPUTS =
      Map.of(
          Topics.REQUESTS, RecordKind.REQUEST_EVENT,
          Topics.CACHE_EVENTS, RecordKind.CACHE_EVENT_BATCH,
          Topics.REPLICA_TELEMETRY, RecordKind.REPLICA_TELEMETRY);

  /** Topics that it writes to, but for the suffix of a trial. */
  public static final List<String> OUTPUTS = List.of(Topics.ROUTING_STATS, Topics.DEAD_LETTERS);

  private RoutingStatsJob() {}

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
        StatsJobConfig.OPTIONS,
        RoutingStatsJob::configure,
        StatsJobConfig::kafka,
        RoutingStatsJob::attach);
  }

  private static StatsJobConfig configure(String[] args) {
    StatsJobConfig config = StatsJobConfig.parse(args);
    TopicCheck.require(config.kafka(), JobMain.topics(INPUTS, OUTPUTS, config.kafka()), INPUTS);
    return config;
  }

  /** Adds the job to an environment, reading from and writing to Kafka. */
  public static void attach(StreamExecutionEnvironment env, StatsJobConfig config) {
    KafkaSettings kafka = config.kafka();
    prepare(env, config);
    JobEnvironment.readEndlessly(env);
    StatsSources sources =
        new StatsSources(
            read(env, config, Topics.REQUESTS, "requests", RequestForm.FIGURES),
            read(env, config, Topics.CACHE_EVENTS, "cache-events", JsonForm.CACHE_EVENTS),
            read(env, config, Topics.REPLICA_TELEMETRY, "telemetry", JsonForm.TELEMETRY));
    StatsSinks sinks =
        new StatsSinks(
            KafkaSinks.of(kafka, "stats", new StatsWriter(kafka.output(Topics.ROUTING_STATS))),
            KafkaSinks.of(
                kafka, "dead-letters", new DeadLetterWriter(kafka.output(Topics.DEAD_LETTERS))),
            new DroppedLog());
    define(env, sources, sinks, config);
  }

  private static <T> DataStream<Inbound<T>> read(
      StreamExecutionEnvironment env,
      StatsJobConfig config,
      String topic,
      String name,
      RecordForm<T> form) {
    EventTimes<T> times = EventTimes.of(config.bound(), config.idleness());
    if (!config.maxDrift().isZero()) {
      times = times.alignedIn("routing-stats", config.maxDrift());
    }
    return env.fromSource(
            KafkaSources.of(config.kafka(), topic, form), times, "stats: read " + name)
        .uid("stats-" + name + "-source");
  }

  /** Adds the job to an environment between given sources and sinks. */
  public static void define(
      StreamExecutionEnvironment env,
      StatsSources sources,
      StatsSinks sinks,
      StatsJobConfig config) {
    prepare(env, config);
    SingleOutputStreamOperator<Inbound<RequestFigures>> requests =
        understood(sources.requests(), "requests", RequestForm.FIGURES);
    SingleOutputStreamOperator<Inbound<CacheEventBatch>> cacheEvents =
        understood(sources.cacheEvents(), "cache-events", JsonForm.CACHE_EVENTS);
    SingleOutputStreamOperator<Inbound<ReplicaTelemetry>> telemetry =
        understood(sources.telemetry(), "telemetry", JsonForm.TELEMETRY);

    SingleOutputStreamOperator<KeyedPane> ofRequests =
        panes(requests, "requests", new RequestContribution(config.backlogShare()), config);
    SingleOutputStreamOperator<KeyedPane> ofCacheEvents =
        panes(cacheEvents, "cache-events", new CacheContribution(), config);
    SingleOutputStreamOperator<KeyedPane> ofTelemetry =
        panes(telemetry, "telemetry", new TelemetryContribution(), config);
    rows(ofRequests.union(ofCacheEvents, ofTelemetry), config)
        .sinkTo(sinks.stats())
        .uid(config.kafka().sinkUid("stats-sink"))
        .name("stats: write rows");

    refused(requests)
        .union(refused(cacheEvents), refused(telemetry))
        .sinkTo(sinks.refusals())
        .uid(config.kafka().sinkUid("stats-dead-letters-sink"))
        .name("stats: write dead letters");
    note(ofRequests, "requests", sinks.dropped());
    note(ofCacheEvents, "cache-events", sinks.dropped());
    note(ofTelemetry, "telemetry", sinks.dropped());
  }

  private static void prepare(StreamExecutionEnvironment env, StatsJobConfig config) {
    JobEnvironment.apply(env, config.kafka(), config.parallelism(), config.checkpointInterval());
    env.getConfig().setAutoWatermarkInterval(config.watermarkInterval().toMillis());
  }

  /** As parallel as the source and so chained to it: partitions must keep their order. */
  private static <T> SingleOutputStreamOperator<Inbound<T>> understood(
      DataStream<Inbound<T>> inbound, String name, RecordForm<T> form) {
    return inbound
        .process(new RefusedAside<T>(), InboundSerializer.typeOf(form))
        .setParallelism(inbound.getParallelism())
        .uid("stats-" + name + "-refused-aside")
        .name("stats: set refused " + name + " aside");
  }

  private static DataStream<Refusal> refused(SingleOutputStreamOperator<?> understood) {
    return understood.getSideOutput(RefusedAside.REFUSED);
  }

  /** Likewise. */
  private static <T> SingleOutputStreamOperator<KeyedPane> panes(
      DataStream<Inbound<T>> events,
      String name,
      Contribution<T> contribution,
      StatsJobConfig config) {
    return events
        .transform(
            "stats: combine " + name + " into panes",
            KeyedPaneSerializer.TYPE,
            new PaneCombiner<>(
                contribution, config.rules(), PaneRing.kept(config.allowedLateness())))
        .setParallelism(events.getParallelism())
        .uid("stats-" + name + "-panes");
  }

  /** Chained as well, so that what is dropped takes no part in the shuffle. */
  private static void note(
      SingleOutputStreamOperator<KeyedPane> panes, String name, Sink<DroppedEvent> sink) {
    panes
        .getSideOutput(PaneCombiner.DROPPED)
        .sinkTo(sink)
        .setParallelism(panes.getParallelism())
        .uid("stats-" + name + "-dropped")
        .name("stats: note dropped " + name);
  }

  private static DataStream<WrittenRow> rows(DataStream<KeyedPane> panes, StatsJobConfig config) {
    return panes
        .keyBy(KeyedPane::key, TypeInformation.of(PaneKey.class))
        .process(
            new PaneRing(config.windows(), config.allowedLateness(), config.silence()),
            WrittenRow.TYPE)
        .uid("stats-ring")
        .name("stats: merge panes into windows")
        .keyBy(WrittenRow::model, Types.STRING)
        .process(new RowOrder(), WrittenRow.TYPE)
        .uid("stats-order")
        .name("stats: order rows");
  }
}
