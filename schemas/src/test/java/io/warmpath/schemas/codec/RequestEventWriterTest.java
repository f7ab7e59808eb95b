package io.warmpath.schemas.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.fixture.GoldenRecords;
import io.warmpath.schemas.fixture.RecordArbitraries;
import io.warmpath.schemas.fixture.Sample;
import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RequestEvent;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;

class RequestEventWriterTest {

  @Property(tries = 4_000)
  @Domain(RecordArbitraries.class)
  void writesWhatBindingWritesUnlessATextNeedsEscaping(@ForAll Sample<?> sample) {
    if (sample.record() instanceof RequestEvent event) {
      String bound = text(Codecs.REQUEST_EVENT.bind(event));
      byte[] written = RequestEventWriter.write(event);
      if (written == null) {
        assertTrue(bound.chars().anyMatch(c -> c == '\\' || c >= 0x7f), bound);
      } else {
        assertEquals(bound, text(written));
      }
    }
  }

  @Example
  void writesTheGoldenEventsItself() {
    GoldenRecords.all()
        .forEach(
            (file, sample) -> {
              if (sample.record() instanceof RequestEvent event) {
                assertEquals(
                    text(Codecs.REQUEST_EVENT.bind(event)),
                    text(RequestEventWriter.write(event)),
                    file);
              }
            });
  }

  @Example
  void writesEveryOutcomeAsItIsBound() {
    Finished golden = (Finished) GoldenRecords.all().get("request-event.finished.json").record();
    for (Outcome outcome : Outcome.values()) {
      RequestEvent event =
          Finished.of(golden.context(), golden.facts(), null, outcome, 200, null, 1, 2, 0);
      assertEquals(text(Codecs.REQUEST_EVENT.bind(event)), text(RequestEventWriter.write(event)));
    }
  }

  @Example
  void leavesTextsThatNeedEscapingToBinding() {
    for (String text :
        new String[] {"a\"b", "a\\b", "a\nb", "a\u007fb", "größer", "\ud83d\ude00"}) {
      assertNull(RequestEventWriter.write(failed(text)), text);
    }
  }

  private static AttemptFailed failed(String model) {
    RequestContext context =
        new RequestContext(
            1, "id", null, "router", 1, 0, model, null, null, "policy", "replica", 0, 0, false);
    return new AttemptFailed(context, "why", 1);
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
