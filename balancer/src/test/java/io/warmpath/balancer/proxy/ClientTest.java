package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that leave, and clients that are slow. */
class ClientTest {

  private FakeReplica replica;
  private TestBalancer balancer;

  @BeforeEach
  void start() {
    replica = new FakeReplica(answer -> {});
    balancer = TestBalancer.inFrontOf(replica);
  }

  @AfterEach
  void stop() {
    balancer.close();
    replica.close();
  }

  @Test
  void closesTheUpstreamWhenTheClientLeavesBeforeTheAnswer() throws Exception {
    try (RawClient client = RawClient.chat(balancer.port(), true, 0)) {
      replica.nextRequest();
    }
    assertAborted(0);
  }

  @Test
  void closesTheUpstreamWhenTheClientLeavesDuringTheAnswer() throws Exception {
    replica.behave(answer -> answer.stream().send(Chunks.ROLE + Chunks.content("a")));
    try (RawClient client = RawClient.chat(balancer.port(), true, 0)) {
      client.readUntil(Chunks.content("a"));
    }
    assertEquals(1, assertAborted(200).outputTokens());
  }

  @Test
  void saysNothingOfAClientThatLeavesBeforeItsRequestIsComplete() throws Exception {
    try (RawClient client = new RawClient(balancer.port())) {
      client.send("POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{");
    }
    replica.behave(answer -> answer.json(200, Chunks.JSON_ANSWER));
    balancer.chat(false);
    assertEquals(Outcome.OK, balancer.finished().outcome());
  }

  @Test
  void forgetsAClientThatLeavesWhileTheReplicaIsConnectedTo() throws Exception {
    ConnectionSettings patient =
        new ConnectionSettings(Duration.ofMinutes(1), 1, Duration.ofSeconds(1));
    InetAddress loopback = InetAddress.getLoopbackAddress();
    // Nobody accepts, and the kernel's queue is full: further connections stay half made.
    try (ServerSocket full = new ServerSocket(0, 1, loopback);
        SocketChannel first = knock(full);
        SocketChannel second = knock(full);
        SocketChannel third = knock(full);
        TestBalancer own =
            TestBalancer.inFrontOf(
                config -> config.connections(patient),
                URI.create("http://127.0.0.1:" + full.getLocalPort()))) {
      try (RawClient client = RawClient.chat(own.port(), true, 0)) {
        Eventually.until("connecting", () -> !own.idle());
      }
      assertEquals(Outcome.CLIENT_ABORT, own.finished().outcome());
      assertEquals(0, own.finished().status());
      Eventually.until("no open request", own::idle);
    }
  }

  private static SocketChannel knock(ServerSocket server) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.connect(server.getLocalSocketAddress());
    return channel;
  }

  private Finished assertAborted(int status) {
    Finished finished = balancer.finished();
    assertEquals(Outcome.CLIENT_ABORT, finished.outcome());
    assertEquals(status, finished.status());
    Eventually.until("upstream closed", () -> replica.closedConnections() == 1);
    Eventually.until("no open request", balancer::idle);
    return finished;
  }

  @Test
  void readsNoFasterThanTheClientDoes() throws Exception {
    String chunk = Chunks.content("x".repeat(60_000));
    int chunks = 500;
    AtomicInteger sent = new AtomicInteger();
    CompletableFuture<FakeReplica.Answer> begun = new CompletableFuture<>();
    replica.behave(answer -> begun.complete(answer.stream()));
    try (RawClient client = RawClient.chat(balancer.port(), true, 16 * 1024)) {
      FakeReplica.Answer answer = begun.get(10, TimeUnit.SECONDS);
      byte[] bytes = chunk.getBytes(StandardCharsets.UTF_8);
      // Sends until the path is full: the balancer has stopped reading by then.
      Eventually.until(
          "the replica is held back",
          () -> {
            if (answer.writable() && sent.get() < chunks) {
              answer.send(bytes);
              sent.incrementAndGet();
            }
            return !answer.writable() || sent.get() == chunks;
          });
      assertTrue(sent.get() < chunks, "30 MB went nowhere");
      client.readUntil(chunk);
      answer.send(Chunks.DONE).end();
      client.readUntil(Chunks.DONE);
      client.readUntil("0\r\n\r\n");
    }
    Finished finished = balancer.finished();
    assertEquals(Outcome.OK, finished.outcome());
    assertEquals(sent.get(), finished.outputTokens());
  }

  @Test
  void endsOpenRequestsBeforeItStops() throws Exception {
    CompletableFuture<FakeReplica.Answer> begun = new CompletableFuture<>();
    replica.behave(answer -> begun.complete(answer.stream().send(Chunks.ROLE)));
    try (RawClient client = RawClient.chat(balancer.port(), true, 0)) {
      client.readUntil(Chunks.ROLE);
      assertFalse(balancer.drain(Duration.ofMillis(1)));
      Eventually.until("new connections are refused", this::refusesConnections);
      begun.get().send(Chunks.DONE).end();
      assertTrue(balancer.drain(Duration.ofSeconds(10)));
      client.readUntil(Chunks.DONE);
    }
  }

  /** A listening socket is closed once its event loop looked again, not when it is told to. */
  private boolean refusesConnections() {
    try {
      new RawClient(balancer.port()).close();
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void takesLargePromptsOffTheEventLoop() throws Exception {
    replica.behave(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    String body = TestBalancer.chatBody(true).replace("blue?", "blue? ".repeat(500_000));
    assertEquals(Chunks.ANSWER, balancer.post("/v1/chat/completions", body).body());
    assertTrue(replica.nextRequest().body().length() > 3_000_000);
    assertEquals(Outcome.OK, balancer.finished().outcome());
  }
}
