package io.warmpath.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.combine.DroppedEvent;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.request.RequestFigures;
import io.warmpath.jobs.request.RequestForm;
import io.warmpath.jobs.source.EventTimes;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.source.InboundSerializer;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.source.RecordForm;
import io.warmpath.jobs.source.Refusal;
import io.warmpath.jobs.testing.Arrivals;
import io.warmpath.jobs.testing.CollectingSink;
import io.warmpath.jobs.testing.FinalRows;
import io.warmpath.jobs.testing.Oracle;
import io.warmpath.jobs.testing.Pipeline;
import io.warmpath.jobs.testing.Request;
import io.warmpath.jobs.testing.Traffic;
import io.warmpath.jobs.window.WrittenRow;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingStatsJobTest {

  private static final long T = 1_796_083_200_000L;

  private static final StatsJobConfig CONFIG =
      StatsJobConfig.parse("--bootstrap-servers", "none:0", "--checkpoint-interval", "0s");

  private static final Refusal NOTHING =
      new Refusal(null, DeadLetter.of("none", 0, 0, Reason.EMPTY, "", null));

  private final Arrivals<RequestEvent> requests =
      new Arrivals<>(Topics.REQUESTS, Arrivals.REQUESTS);
  private final Arrivals<ReplicaTelemetry> telemetry =
      new Arrivals<>(Topics.REPLICA_TELEMETRY, JsonForm.TELEMETRY);
  private final CollectingSink<WrittenRow> rows = new CollectingSink<>();
  private final CollectingSink<Refusal> refusals = new CollectingSink<>();
  private final CollectingSink<DroppedEvent> dropped = new CollectingSink<>();

  @Test
  void emitsTheRowsOfEachWindowInOrderOnAMiniCluster() throws Exception {
    run(
        List.of(
            requests.onTime(0, Request.at(T + 100).ttft(100_000).firstToken()),
            requests.onTime(0, Request.at(T + 300).ttft(100_000).cached(160L).finished()),
            requests.onTime(1, Request.at(T + 400).rejected().finished())),
        List.of(
            telemetry.onTime(
                0, new ReplicaTelemetry(T + 500, "replica-1", "m", 16, 0, 0, 0, 100, null))));

    List<String> firstMinuteWindow =
        rows().stream()
            .filter(row -> row.windowSizeMs() == 60_000 && row.windowEndMs() == T + 5_000)
            .map(row -> row.policy() + "|" + row.replica() + " " + row.requests())
            .toList();
    assertEquals(
        List.of("*|replica-0 1", "*|replica-1 0", "adaptive|* 2", "adaptive|replica-0 1", "*|* 2"),
        firstMinuteWindow);
    assertEquals(12 * 5 + 10 * 5 + 10 * 4, rows().size());
    assertEquals(List.of(), refusals.collected());
  }

  @Test
  void sendsWhatItCannotReadToTheDeadLettersAndGoesOn() throws Exception {
    run(
        List.of(
            requests.bytes(2, T, "{\"v\":1".getBytes(StandardCharsets.UTF_8)),
            requests.onTime(2, Request.at(T).finished())),
        List.of());

    Refusal refusal = refusals.collected().get(0);
    assertEquals(1, refusals.collected().size());
    assertEquals("key", new String(refusal.key(), StandardCharsets.UTF_8));
    assertEquals(Topics.REQUESTS, refusal.letter().topic());
    assertEquals(2, refusal.letter().partition());
    assertEquals(0, refusal.letter().offset());
    assertEquals("not_json", refusal.letter().reason().wireName());
    assertTrue(rows().stream().anyMatch(row -> row.isTotal() && row.requests() == 1));
  }

  @Test
  void saysWhereEventsLieThatCameTooLate() throws Exception {
    long highMs = T + 200_000;
    run(
        List.of(
            requests.onTime(0, Request.at(highMs).finished()),
            requests.onTime(0, Request.at(T).finished())),
        List.of(
            telemetry.onTime(
                3, new ReplicaTelemetry(highMs, "replica-1", "m", 16, 0, 0, 0, 100, null)),
            telemetry.onTime(
                3, new ReplicaTelemetry(T, "replica-1", "m", 16, 0, 0, 0, 100, null))));

    assertEquals(
        Set.of(
            new DroppedEvent(Topics.REQUESTS, 0, 1, T, highMs),
            new DroppedEvent(Topics.REPLICA_TELEMETRY, 3, 1, T, highMs)),
        Set.copyOf(dropped.collected()));
    assertEquals(2, dropped.collected().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void equalsTheDefinitionsAtAnyParallelism(int parallelism) throws Exception {
    List<Parsed<?>> records = new Traffic(7, T, 150_000).records(2_000);
    List<Parsed<RequestEvent>> events = Traffic.only(records, RequestEvent.class);
    List<Parsed<CacheEventBatch>> batches = Traffic.only(records, CacheEventBatch.class);
    List<Parsed<ReplicaTelemetry>> reports = Traffic.only(records, ReplicaTelemetry.class);

    run(parallelism, List.copyOf(events), List.copyOf(batches), List.copyOf(reports));

    FinalRows.assertSame(new Oracle(CONFIG).of(events).of(batches).of(reports).rows(), rows());
  }

  private void run(List<Inbound<RequestEvent>> events, List<Inbound<ReplicaTelemetry>> reports)
      throws Exception {
    run(2, events, List.of(), reports);
  }

  private void run(
      int parallelism,
      List<Inbound<RequestEvent>> events,
      List<Inbound<CacheEventBatch>> batches,
      List<Inbound<ReplicaTelemetry>> reports)
      throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(parallelism);
    StatsSources sources =
        new StatsSources(
            source(env, figures(events), RequestForm.FIGURES, "requests"),
            source(env, batches, JsonForm.CACHE_EVENTS, "cache"),
            source(env, reports, JsonForm.TELEMETRY, "telemetry"));
    RoutingStatsJob.define(env, sources, new StatsSinks(rows, refusals, dropped), CONFIG);
    env.execute();
  }

  @SuppressWarnings("unchecked") // A refusal holds no value.
  private static List<Inbound<RequestFigures>> figures(List<Inbound<RequestEvent>> events) {
    return events.stream()
        .map(
            event ->
                event instanceof Parsed<RequestEvent> parsed
                    ? Pipeline.figures(parsed)
                    : (Inbound<RequestFigures>) (Inbound<?>) event)
        .toList();
  }

  private static <T> DataStream<Inbound<T>> source(
      StreamExecutionEnvironment env, List<Inbound<T>> values, RecordForm<T> form, String name) {
    // A source of nothing at all is more than Flink's can do.
    boolean all = !values.isEmpty();
    List<Inbound<T>> some = all ? values : List.of(new Inbound.Malformed<>(NOTHING));
    return env.fromData(some, InboundSerializer.typeOf(form))
        .uid(name)
        .filter(value -> all)
        .uid(name + "-some")
        .setParallelism(1)
        .assignTimestampsAndWatermarks(EventTimes.of(CONFIG.bound(), CONFIG.idleness()))
        .uid(name + "-times")
        .setParallelism(1);
  }

  private List<RoutingStats> rows() {
    return rows.collected().stream().map(WrittenRow::read).toList();
  }
}
