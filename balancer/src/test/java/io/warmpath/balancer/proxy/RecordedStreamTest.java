package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RecordedStream;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.Outcome;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recorded streams through a balancer, from socket to socket. */
class RecordedStreamTest {

  /** The usage is asked for, so that the balancer has none to withhold. */
  private static final String BODY =
      TestBalancer.chatBody(true)
          .replace("{\"model\"", "{\"stream_options\":{\"include_usage\":true},\"model\"");

  private static FakeReplica replica;
  private static TestBalancer balancer;

  @BeforeAll
  static void start() {
    replica = new FakeReplica(answer -> {});
    balancer = TestBalancer.inFrontOf(replica);
  }

  @AfterAll
  static void stop() {
    Eventually.until("no open request", balancer::idle);
    balancer.close();
    replica.close();
  }

  static List<RecordedStream> recorded() {
    return RecordedStream.all();
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void comesThroughWhole(RecordedStream recorded) throws Exception {
    assertComesThrough(recorded, () -> Integer.MAX_VALUE / 2);
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void comesThroughByteByByte(RecordedStream recorded) throws Exception {
    assertComesThrough(recorded, () -> 1);
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void comesThroughCutAtRandom(RecordedStream recorded) throws Exception {
    Random random = new Random(7);
    assertComesThrough(recorded, () -> 1 + random.nextInt(300));
  }

  private static void assertComesThrough(RecordedStream recorded, IntSupplier pieces)
      throws Exception {
    replica.behave(answer -> play(recorded.bytes(), pieces, answer));
    for (HttpClient.Version version : HttpClient.Version.values()) {
      assertComesThrough(recorded, version);
    }
  }

  private static void assertComesThrough(RecordedStream recorded, HttpClient.Version version)
      throws Exception {
    int finishedBefore = balancer.events(Finished.class).size();
    int tokensBefore = balancer.events(FirstToken.class).size();

    HttpResponse<byte[]> out = balancer.postIn(version, "/v1/chat/completions", BODY);

    assertEquals(version, out.version());
    assertArrayEquals(recorded.bytes(), out.body());
    Eventually.until(
        "the event", () -> balancer.events(Finished.class).size() == finishedBefore + 1);
    Finished finished = balancer.events(Finished.class).get(finishedBefore);
    JsonNode expected = recorded.expected();
    boolean error = !expected.path("error").isNull();
    assertEquals(error ? Outcome.UPSTREAM_ERROR : Outcome.OK, finished.outcome());
    boolean token = !expected.path("chunks_before_first_token").isNull();
    assertEquals(token ? 1 : 0, balancer.events(FirstToken.class).size() - tokensBefore);
    if (token) {
      assertNotNull(finished.ttftUs());
    } else {
      assertNull(finished.ttftUs());
    }
    assertUsage(expected.path("usage"), finished);
  }

  private static void play(byte[] bytes, IntSupplier pieces, FakeReplica.Answer answer) {
    answer.stream();
    int from = 0;
    while (from < bytes.length) {
      int to = Math.min(bytes.length, from + pieces.getAsInt());
      answer.send(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    answer.end();
  }

  private static void assertUsage(JsonNode expected, Finished finished) {
    if (expected.isNull()) {
      assertNull(finished.cachedTokens());
      assertFalse(finished.facts().promptTokensExact());
      return;
    }
    assertEquals(expected.path("prompt").asLong(), finished.facts().promptTokens());
    assertEquals(expected.path("completion").asLong(), finished.outputTokens());
    JsonNode cached = expected.path("cached");
    assertEquals(cached.isNull() ? null : (Long) cached.asLong(), finished.cachedTokens());
  }
}
