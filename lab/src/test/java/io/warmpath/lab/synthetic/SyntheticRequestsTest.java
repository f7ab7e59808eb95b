package io.warmpath.lab.synthetic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SyntheticRequestsTest {

  private static final long T = 1_796_083_200_000L;

  private final SyntheticRequests requests =
      new SyntheticRequests(SyntheticFleet.of(List.of("m", "n"), 8), 7);

  @Test
  void aRequestIsTheSameOnEachCall() {
    assertEquals(requests.finished(41, T), requests.finished(41, T));
    assertEquals(requests.firstToken(41, T), requests.firstToken(41, T));
    assertNotEquals(requests.finished(41, T), requests.finished(42, T));
  }

  @Test
  void theFirstTokenAndTheEndTellOfOneRequest() {
    Finished finished = requests.finished(41, T);

    assertEquals(requests.firstToken(41, T).context(), finished.context());
    assertEquals(requests.firstToken(41, T).times().ttftUs(), finished.ttftUs());
  }

  @Test
  void allOutcomesOccurAndAllAreValidRecords() {
    assertEquals(
        List.of(Outcome.OK, Outcome.UPSTREAM_ERROR, Outcome.CLIENT_ABORT, Outcome.REJECTED),
        LongStream.range(0, 5_000)
            .mapToObj(i -> requests.finished(i, T))
            .peek(f -> assertEquals(f, Codecs.REQUEST_EVENT.decode(Codecs.REQUEST_EVENT.encode(f))))
            .map(Finished::outcome)
            .collect(Collectors.toSet())
            .stream()
            .sorted()
            .toList());
  }

  @Test
  void durationsAreOfTheList() {
    for (long i = 0; i < 5_000; i++) {
      Finished finished = requests.finished(i, T);
      assertTrue(SyntheticRequests.DURATIONS_US.contains(finished.e2eUs()));
      assertTrue(
          finished.ttftUs() == null || SyntheticRequests.DURATIONS_US.contains(finished.ttftUs()));
    }
  }
}
