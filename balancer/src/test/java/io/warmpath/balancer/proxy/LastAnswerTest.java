package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.Sha256;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.security.ApiKeys;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that end with an answer, and those that there are too many of. */
class LastAnswerTest {

  private static final int LARGE = 4 << 20;
  private static final String OPEN = "warmpath_balancer_connections ";

  private final FakeReplica replica =
      new FakeReplica(answer -> answer.json(200, Chunks.JSON_ANSWER));
  private TestBalancer balancer;

  @AfterEach
  void stop() {
    balancer.close();
    replica.close();
  }

  /** A client that sends all before it reads anything, as many do. */
  @Test
  void reachesAClientThatStillSendsALargeBody() throws Exception {
    start(config -> config.limits(new Limits(1000, 4096)));
    for (int i = 0; i < 30; i++) {
      assertRefused(413, "content-length: " + LARGE + "\r\n\r\n");
      assertRefused(
          413, "transfer-encoding: chunked\r\n\r\n" + Integer.toHexString(LARGE) + "\r\n");
    }
  }

  @Test
  void reachesAClientWithoutAKeyThatStillSends() throws Exception {
    ApiKeys keys = ApiKeys.parse("a sha256:" + Sha256.hex("key") + "\n");
    start(config -> config.apiKeys(keys));
    assertRefused(401, "content-length: " + LARGE + "\r\n\r\n");
  }

  @Test
  void reachesAClientThatIsOneTooManyAndStillSends() throws Exception {
    start(config -> config.limits(new Limits(LARGE, 4096, 100, 1, 0)));
    replica.behave(answer -> answer.stream().send(Chunks.ROLE));
    try (RawClient open = RawClient.chat(balancer.port(), true, 0)) {
      open.readUntil(Chunks.ROLE);
      assertRefused(503, "content-length: " + LARGE + "\r\n\r\n");
    }
  }

  @Test
  void reachesAClientWhoseRequestIsNoHttp() throws Exception {
    start(config -> config);
    assertRefused(400, "content-length: x\r\n\r\n");
  }

  private void assertRefused(int status, String rest) throws IOException {
    try (RawClient client = new RawClient(balancer.port())) {
      client.send("POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n" + rest);
      client.send("x".repeat(LARGE));
      String answer = client.readToEnd();
      assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
      assertTrue(answer.contains("connection: close\r\n"), answer);
      assertTrue(answer.endsWith("}}"), answer);
    }
  }

  @Test
  void isWaitedForWithinABoundWhenTheClientNeverCloses() throws Exception {
    Duration soon = Duration.ofMillis(50);
    start(
        config ->
            config
                .limits(new Limits(1000, 4096))
                .receiveTimeouts(new ReceiveTimeouts(soon, soon, Duration.ofMinutes(1))));
    try (RawClient slowHead = new RawClient(balancer.port());
        RawClient slowBody = new RawClient(balancer.port());
        RawClient largeBody = new RawClient(balancer.port())) {
      slowHead.send("POST /v1/chat/completions HTTP/1.1\r\nho");
      slowBody.send("POST /v1/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{");
      largeBody.send("POST /v1/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 9999\r\n\r\n");
      assertTrue(slowHead.readHead().startsWith("HTTP/1.1 408 "));
      assertTrue(slowBody.readHead().startsWith("HTTP/1.1 408 "));
      assertTrue(largeBody.readHead().startsWith("HTTP/1.1 413 "));
      awaitConnections(0);
    }
  }

  @Test
  void connectionsBeyondTheBoundAreClosed() throws Exception {
    start(config -> config.limits(new Limits(1000, 4096, 100, 9, 0, 9, 1000, 1)));
    replica.behave(answer -> answer.stream().send(Chunks.ROLE));
    try (RawClient first = RawClient.chat(balancer.port(), true, 0)) {
      first.readUntil(Chunks.ROLE);
      try (RawClient second = new RawClient(balancer.port())) {
        assertEquals("", second.readToEnd());
      }
      awaitConnections(1);
      assertEquals(
          "warmpath_balancer_connections_refused_total 1",
          balancer.metric("warmpath_balancer_connections_refused_total"));
    }
    awaitConnections(0);
    replica.behave(answer -> answer.json(200, Chunks.JSON_ANSWER));
    assertEquals(200, balancer.chat(false).statusCode());
  }

  private void start(UnaryOperator<BalancerConfig.Builder> settings) {
    balancer = TestBalancer.with(settings, replica);
  }

  private void awaitConnections(int open) {
    Eventually.until(
        open + " connections",
        () -> {
          try {
            return balancer.metric(OPEN).equals(OPEN + open);
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }
}
