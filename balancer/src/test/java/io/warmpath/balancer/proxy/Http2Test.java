package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http2.Http2Error;
import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.Http2Client;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a connection of HTTP/2 adds to requests: streams beside each other, and their ends. */
class Http2Test {

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final String EMPTY_SETTINGS = "\0\0\0\4\0\0\0\0\0";

  private final BlockingQueue<FakeReplica.Answer> begun = new LinkedBlockingQueue<>();
  private final FakeReplica replica =
      new FakeReplica(answer -> begun.add(answer.stream().send(Chunks.ROLE)));
  private TestBalancer balancer;
  private Http2Client client;

  @AfterEach
  void stop() {
    if (client != null) {
      client.close();
    }
    Eventually.until("no open request", balancer::idle);
    balancer.close();
    replica.close();
  }

  private void start(UnaryOperator<BalancerConfig.Builder> settings) {
    balancer = TestBalancer.with(settings, replica);
    client = new Http2Client(balancer.port());
  }

  private FakeReplica.Answer nextBegun() throws InterruptedException {
    return begun.poll(10, TimeUnit.SECONDS);
  }

  @Test
  void aStreamThatIsResetEndsAlone() throws Exception {
    start(config -> config);
    List<Http2Client.Stream> streams = new ArrayList<>();
    List<FakeReplica.Answer> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      streams.add(client.chat());
      answers.add(nextBegun());
    }
    Http2Client.Stream given = streams.remove(20);
    FakeReplica.Answer unread = answers.remove(20);
    Eventually.until("an answer", () -> given.body().equals(Chunks.ROLE));

    given.reset();

    Eventually.until("its upstream is closed", () -> replica.closedConnections() == 1);
    Eventually.until("the peer is gone", () -> !unread.open());
    assertEquals(Outcome.CLIENT_ABORT, balancer.finished().outcome());
    answers.forEach(answer -> answer.send(Chunks.DONE).end());
    for (Http2Client.Stream stream : streams) {
      assertEquals(Chunks.ROLE + Chunks.DONE, stream.wholeBody());
    }
    Eventually.until("all are over", () -> balancer.events(Finished.class).size() == 50);
    assertEquals(
        49,
        balancer.events(Finished.class).stream().filter(f -> f.outcome() == Outcome.OK).count());
    assertEquals(1, replica.closedConnections());
  }

  @Test
  void aConnectionThatIsLostEndsAllItsStreams() throws Exception {
    start(config -> config);
    client.chat();
    client.chat();
    nextBegun();
    nextBegun();
    client.close();
    Eventually.until("upstreams are closed", () -> replica.closedConnections() == 2);
    Eventually.until("both are over", () -> balancer.events(Finished.class).size() == 2);
    balancer.events(Finished.class).forEach(f -> assertEquals(Outcome.CLIENT_ABORT, f.outcome()));
  }

  /** The end of it waits in the balancer for as long as the client's window is full. */
  @Test
  void anAnswerThatIsReadSlowlyIsNotCutByTheTimeForTheNextRequest() throws Exception {
    Duration later = Duration.ofMinutes(1);
    ReceiveTimeouts hasty = new ReceiveTimeouts(later, later, Duration.ofMillis(1));
    start(config -> config.receiveTimeouts(hasty));
    Http2Client.Stream slow = client.chat();
    FakeReplica.Answer answer = nextBegun();
    slow.reading(false);
    String rest = Chunks.content("x".repeat(40_000)) + Chunks.DONE;
    answer.send(rest).end();
    balancer.finished();
    for (int i = 0; i < 50; i++) {
      balancer.admin("/health");
    }
    slow.reading(true);
    assertEquals(Chunks.ROLE + rest, slow.wholeBody());
  }

  @Test
  void aClientThatReadsNothingHoldsBackThatStreamAlone() throws Exception {
    start(config -> config);
    Http2Client.Stream slow = client.chat();
    FakeReplica.Answer held = nextBegun();
    slow.reading(false);
    byte[] chunk = Chunks.content("x".repeat(60_000)).getBytes();
    int[] sent = {0};
    Eventually.until(
        "the replica is held back",
        () -> {
          if (held.writable() && sent[0] < 500) {
            held.send(chunk);
            sent[0]++;
          }
          return !held.writable() || sent[0] == 500;
        });
    assertTrue(sent[0] < 500, "30 MB went nowhere");

    Http2Client.Stream other = client.chat();
    nextBegun().send(Chunks.DONE).end();
    assertEquals(Chunks.ROLE + Chunks.DONE, other.wholeBody());
    assertFalse(slow.ended());

    slow.reading(true);
    held.send(Chunks.DONE).end();
    assertEquals(
        Chunks.ROLE.length() + sent[0] * chunk.length + Chunks.DONE.length(),
        slow.wholeBody().length());
  }

  @Test
  void streamsRunOnAfterTheClientIsToldToGo() throws Exception {
    start(config -> config);
    Http2Client.Stream stream = client.chat();
    FakeReplica.Answer answer = nextBegun();
    assertFalse(balancer.drain(Duration.ofMillis(1)));
    Eventually.until("GOAWAY", () -> client.goneAway() == Http2Error.NO_ERROR);

    answer.send(Chunks.content("a")).send(Chunks.DONE).end();

    assertEquals(Chunks.ROLE + Chunks.content("a") + Chunks.DONE, stream.wholeBody());
    assertTrue(balancer.drain(Duration.ofSeconds(10)));
    Eventually.until("the connection ends", () -> !client.connected());
    assertEquals(Outcome.OK, balancer.finished().outcome());
  }

  @Test
  void tooManyStreamsAreRefusedAndMayComeAgain() throws Exception {
    start(config -> config.limits(new Limits(1000, 4096, 100, 9, 0, 2, 1 << 28, 50_000)));
    Http2Client.Stream first = client.chat();
    Http2Client.Stream second = client.chat();
    FakeReplica.Answer one = nextBegun();
    FakeReplica.Answer two = nextBegun();

    assertEquals(Http2Error.REFUSED_STREAM, client.chat().resetBy());

    one.send(Chunks.DONE).end();
    two.send(Chunks.DONE).end();
    first.wholeBody();
    second.wholeBody();
    Http2Client.Stream again = client.chat();
    nextBegun().send(Chunks.DONE).end();
    assertEquals(Chunks.ROLE + Chunks.DONE, again.wholeBody());
  }

  @Test
  void aFloodOfResetsEndsTheConnection() {
    start(config -> config.limits(new Limits(1000, 4096, 100, 9, 0, 2, 1 << 28, 50_000)));
    Eventually.until(
        "the connection ends",
        () -> {
          if (client.connected()) {
            try {
              client.chat().reset();
            } catch (Exception closedMeanwhile) {
              return !client.connected();
            }
          }
          return !client.connected();
        });
    assertEquals(Http2Error.ENHANCE_YOUR_CALM, client.goneAway());
  }

  @Test
  void anAnswerThatIsCutIsNoCompleteOne() {
    replica.behave(
        answer -> {
          answer.raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n");
          answer.raw("content-length: 100\r\n\r\n{\"choices\"");
          answer.die();
        });
    start(config -> config);
    Http2Client.Stream stream = client.chat();
    assertEquals(Http2Error.INTERNAL_ERROR, stream.resetBy());
    assertFalse(stream.ended());
    assertEquals(Outcome.UPSTREAM_ERROR, balancer.finished().outcome());
  }

  @Test
  void trailersPass() {
    replica.behave(
        answer ->
            answer.raw(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: x-hop\r\n"
                    + "x-hop: 1\r\nkeep-alive: timeout=5\r\ntransfer-encoding: chunked\r\n\r\n"
                    + "2\r\n{}\r\n0\r\nx-checksum: 7\r\n\r\n"));
    start(config -> config);
    Http2Client.Stream stream = client.chat();
    assertEquals("{}", stream.wholeBody());
    assertEquals("7", stream.trailer("x-checksum"));
    for (String ofAConnection :
        List.of("connection", "keep-alive", "transfer-encoding", "x-hop", "upgrade")) {
      assertNull(stream.header(ofAConnection), ofAConnection);
    }
    assertEquals("replica-0", stream.header("x-warmpath-replica"));
  }

  @Test
  void aRefusalDoesNotWaitForTheBody() {
    start(config -> config.limits(new Limits(1000, 4096)));
    Http2Client.Stream stream = client.begin("/v1/chat/completions", "content-length", "1001");
    assertEquals(413, stream.status());
    assertTrue(stream.wholeBody().contains("body_too_large"));
    assertEquals(Http2Error.NO_ERROR, stream.resetBy());
    assertEquals(431, client.begin("/v1/chat/completions", "x-long", "x".repeat(5000)).status());
    assertTrue(client.connected());
  }

  @Test
  void aBodyThatTricklesIsRefused() {
    start(config -> config.receiveTimeouts(timeouts(60_000, 50, 60_000)));
    Http2Client.Stream stream = client.begin("/v1/chat/completions");
    stream.send("{", false);
    assertEquals(408, stream.status());
    assertTrue(client.connected());
  }

  @Test
  void aConnectionWithoutStreamsEnds() throws Exception {
    start(config -> config.receiveTimeouts(timeouts(50, 60_000, 60_000)));
    try (RawClient silent = new RawClient(balancer.port())) {
      silent.send(PREFACE.substring(0, 10));
      assertEquals("", silent.readToEnd());
    }
    try (RawClient idle = new RawClient(balancer.port())) {
      idle.send(PREFACE + EMPTY_SETTINGS);
      idle.readToEnd();
    }
  }

  @Test
  void aConnectionWaitsForItsNextStream() throws Exception {
    start(config -> config.receiveTimeouts(timeouts(60_000, 60_000, 50)));
    Http2Client.Stream stream = client.chat();
    FakeReplica.Answer answer = nextBegun();
    CompletableFuture<Void> later = new CompletableFuture<>();
    // Longer than the bound, which does not count while a stream is open.
    answer.after(Duration.ofMillis(200), () -> later.complete(null));
    later.get(10, TimeUnit.SECONDS);
    assertTrue(client.connected());
    answer.send(Chunks.DONE).end();
    assertEquals(Chunks.ROLE + Chunks.DONE, stream.wholeBody());
    Eventually.until("the idle connection ends", () -> !client.connected());
  }

  private static ReceiveTimeouts timeouts(int header, int body, int keepAlive) {
    return new ReceiveTimeouts(
        Duration.ofMillis(header), Duration.ofMillis(body), Duration.ofMillis(keepAlive));
  }
}
