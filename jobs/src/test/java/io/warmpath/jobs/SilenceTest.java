package io.warmpath.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.testing.Arrivals;
import io.warmpath.jobs.testing.FinalRows;
import io.warmpath.jobs.testing.Oracle;
import io.warmpath.jobs.testing.Pipeline;
import io.warmpath.jobs.testing.Request;
import io.warmpath.jobs.window.RowPlace;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of windows when no input brings anything. */
class SilenceTest {

  private static final long T = 1_796_083_200_000L;

  private static final StatsJobConfig CONFIG =
      StatsJobConfig.parse("--bootstrap-servers", "none:0");

  private final Arrivals<RequestEvent> requests =
      new Arrivals<>(Topics.REQUESTS, Arrivals.REQUESTS);
  private final List<Parsed<RequestEvent>> sent = new ArrayList<>();

  private Pipeline pipeline;

  @BeforeEach
  void open() throws Exception {
    pipeline = new Pipeline(CONFIG, null);
  }

  @AfterEach
  void close() throws Exception {
    pipeline.close();
  }

  @Test
  void allInputsSilentEndWindowsByTheClock() throws Exception {
    fallSilentAfterOneRequest();
    pipeline.clock(4_000);
    assertEquals(List.of(), pipeline.rows());

    pipeline.clock(400_000);
    assertTrue(pipeline.rows().stream().allMatch(RoutingStats::provisional));
    List<Long> minutes = totals(60_000).stream().map(RoutingStats::windowEndMs).toList();
    assertEquals(12, minutes.size());
    assertEquals(T + 5_000, minutes.get(0));
    assertEquals(T + 60_000, minutes.get(11));
    assertEquals(10, totals(10_000).size());
    assertEquals(10, totals(300_000).size());
    assertTrue(pipeline.rows().stream().allMatch(row -> row.requests() == 1));
  }

  @Test
  void silenceEndsEachWindowOnceAndInOrder() throws Exception {
    fallSilentAfterOneRequest();
    pipeline.clock(400_000);

    List<RowPlace> places = pipeline.rows().stream().map(RowPlace::of).toList();
    assertEquals(places.stream().sorted().distinct().toList(), places);
  }

  @Test
  void windowsEndOnlyAsFarAsTheClockWent() throws Exception {
    fallSilentAfterOneRequest();
    pipeline.clock(21_000);

    long lastEndMs = pipeline.rows().get(pipeline.rows().size() - 1).windowEndMs();
    assertEquals(T + 20_000, lastEndMs);
  }

  @Test
  void inputThatResumesReplacesProvisionalRowsAndNothingCountsTwice() throws Exception {
    fallSilentAfterOneRequest();
    pipeline.clock(40_000);
    assertFalse(pipeline.rows().isEmpty());

    arrive(Request.at(T + 20_000).finished());
    pipeline.watermark(T + 700_000);

    List<RoutingStats> finals = pipeline.rows().stream().filter(row -> !row.provisional()).toList();
    FinalRows.assertSame(new Oracle(CONFIG).of(sent).rows(), finals);
    List<RoutingStats> afterFirstFinal =
        pipeline.rows().subList(pipeline.rows().indexOf(finals.get(0)), pipeline.rows().size());
    assertEquals(finals, afterFirstFinal);
  }

  @Test
  void aRequestDuringSilenceChangesTheRowsThatFollow() throws Exception {
    fallSilentAfterOneRequest();
    pipeline.clock(41_000);
    pipeline.rows().clear();

    // Its time is not past what the watermark has, which so stays where it is.
    arrive(Request.at(T + 600).finished());
    pipeline.idle();
    pipeline.clock(60_000);

    List<RoutingStats> changed =
        totals(60_000).stream().filter(row -> row.requests() == 2).toList();
    assertEquals(T + 5_000, changed.get(0).windowEndMs());
    assertTrue(changed.stream().allMatch(RoutingStats::provisional));
  }

  @Test
  void provisionalRowsComeAfterARestartToo() throws Exception {
    fallSilentAfterOneRequest();
    pipeline.watermark(T + 6_000);
    pipeline.rows().clear();
    Pipeline.Snapshot snapshot = pipeline.snapshot();
    pipeline.close();
    pipeline = new Pipeline(CONFIG, snapshot);

    pipeline.clock(60_000);
    assertEquals(T + 10_000, totals(60_000).get(0).windowEndMs());
    assertTrue(pipeline.rows().stream().allMatch(RoutingStats::provisional));
  }

  @Test
  void aRestartInSilenceShowsNothingAgain() throws Exception {
    fallSilentAfterOneRequest();
    pipeline.watermark(T + 6_000);
    pipeline.clock(41_000);
    List<RoutingStats> shown = List.copyOf(pipeline.rows());
    Pipeline.Snapshot snapshot = pipeline.snapshot();
    pipeline.close();
    pipeline = new Pipeline(CONFIG, snapshot);

    // By the clock that began anew, less is over than was before.
    pipeline.clock(43_000);
    pipeline.clock(52_000);
    pipeline.clock(110_000);
    assertFalse(pipeline.rows().isEmpty());
    assertNoneTwice(shown, pipeline.rows());
  }

  @Test
  void aRequestDuringSilenceShowsOnlyWhatItChanges() throws Exception {
    fallSilentAfterOneRequest();
    arrive(Request.at(T + 20_500).finished());
    pipeline.idle();
    pipeline.clock(41_000);
    List<RoutingStats> shown = List.copyOf(pipeline.rows());
    pipeline.rows().clear();

    arrive(Request.at(T + 600).finished());
    pipeline.idle();
    pipeline.clock(60_000);
    assertFalse(pipeline.rows().isEmpty());
    assertNoneTwice(shown, pipeline.rows());
  }

  @Test
  void aRestartBringsNoProvisionalRowAfterTheOneThatReplacesIt() throws Exception {
    fallSilentAfterOneRequest();
    pipeline.clock(10_000);
    pipeline.watermark(T + 700_000);
    Pipeline.Snapshot snapshot = pipeline.snapshot();
    pipeline.close();
    pipeline = new Pipeline(CONFIG, snapshot);

    pipeline.clock(60_000);
    assertEquals(List.of(), pipeline.rows());
  }

  @Test
  void noProvisionalRowComesWhileTheWatermarkMoves() throws Exception {
    arrive(Request.at(T).finished());
    for (long second = 0; second < 60; second++) {
      pipeline.watermark(T + second * 1_000);
      pipeline.clock(second * 1_000);
    }

    assertFalse(pipeline.rows().isEmpty());
    assertTrue(pipeline.rows().stream().noneMatch(RoutingStats::provisional));
  }

  @Test
  void zeroSilenceWaitsForEver() throws Exception {
    pipeline.close();
    pipeline =
        new Pipeline(
            StatsJobConfig.parse("--bootstrap-servers", "none:0", "--silence", "0s"), null);
    fallSilentAfterOneRequest();
    pipeline.clock(400_000);

    assertEquals(List.of(), pipeline.rows());
  }

  private static void assertNoneTwice(List<RoutingStats> before, List<RoutingStats> after) {
    List<RoutingStats> all = Stream.concat(before.stream(), after.stream()).toList();
    assertEquals(all.stream().distinct().toList(), all);
  }

  private void fallSilentAfterOneRequest() throws Exception {
    arrive(Request.at(T + 500).finished());
    pipeline.watermark(T - 1);
    pipeline.idle();
  }

  private void arrive(RequestEvent event) throws Exception {
    Parsed<RequestEvent> parsed = requests.onTime(0, event);
    sent.add(parsed);
    pipeline.request(parsed);
  }

  private List<RoutingStats> totals(long sizeMs) {
    return pipeline.rows().stream()
        .filter(row -> row.isTotal() && row.windowSizeMs() == sizeMs)
        .toList();
  }
}
