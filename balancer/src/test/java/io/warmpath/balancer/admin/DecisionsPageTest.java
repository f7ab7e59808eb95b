package io.warmpath.balancer.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.decision.DecisionLog;
import io.warmpath.balancer.decision.DecisionLogSettings;
import io.warmpath.balancer.events.InMemoryEventSink;
import io.warmpath.balancer.metrics.RequestMetrics;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RoutingDecision;
import io.warmpath.schemas.request.RoutingDecision.Candidate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** However much is logged, one answer takes an event loop only for a while. */
class DecisionsPageTest {

  private static final int MIB = 1 << 20;

  private final DecisionLog log = new DecisionLog(new DecisionLogSettings(1, 2_000));
  private final AdminPages pages =
      new AdminPages(
          List.of(), new RequestMetrics(), new InMemoryEventSink(0), () -> 0, log, text -> {});

  @Test
  void anAnswerHasAtMostAThousandAndTheNextGoesOn() {
    log(2_500, 1);
    List<List<Long>> answers = answers();
    assertEquals(List.of(1_000, 1_000, 0), answers.stream().map(List::size).toList());
    assertEquals(LongStream.rangeClosed(501, 2_500).boxed().toList(), joined(answers));
  }

  @Test
  void anAnswerTakesNoFurtherRecordAfterAMebibyte() {
    log(20, 2_000);
    int record = page("?after=19").length;
    assertTrue(record < MIB);
    int first = page("").length;
    assertTrue(first >= MIB && first < MIB + record, () -> first + " bytes");
    assertEquals(LongStream.rangeClosed(1, 20).boxed().toList(), joined(answers()));
  }

  /** Asks until an answer is empty, each time for what comes after the last. */
  private List<List<Long>> answers() {
    List<List<Long>> answers = new ArrayList<>();
    List<Long> answer = numbers(page(""));
    while (!answer.isEmpty()) {
      answers.add(answer);
      answer = numbers(page("?after=" + answer.get(answer.size() - 1)));
    }
    answers.add(answer);
    return answers;
  }

  private static List<Long> joined(List<List<Long>> answers) {
    return answers.stream().flatMap(List::stream).toList();
  }

  private byte[] page(String query) {
    AdminPages.Page page = pages.page("GET", "/admin/decisions" + query, null, "");
    assertEquals(200, page.status());
    return page.body();
  }

  private static List<Long> numbers(byte[] page) {
    return new String(page, StandardCharsets.UTF_8)
        .lines()
        .map(line -> Codecs.ROUTING_DECISION.decode(line.getBytes(StandardCharsets.UTF_8)))
        .map(RoutingDecision::seq)
        .toList();
  }

  private void log(int records, int replicas) {
    Candidate candidate = new Candidate("r", true, true, 0, 16, 0, 0, 0, 1, 0, 1, 16.0);
    List<Candidate> candidates = Collections.nCopies(replicas, candidate);
    for (int i = 0; i < records; i++) {
      log.add(
          seq ->
              new RoutingDecision(
                  seq,
                  1,
                  "id",
                  null,
                  "b",
                  "m",
                  null,
                  null,
                  "adaptive",
                  0,
                  0,
                  "r",
                  "cold",
                  16,
                  true,
                  1,
                  null,
                  1,
                  5,
                  1,
                  candidates));
    }
  }
}
