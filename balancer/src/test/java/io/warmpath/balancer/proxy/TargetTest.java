package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests go where the configuration says, whatever the client says. */
class TargetTest {

  private FakeReplica replica;
  private FakeReplica elsewhere;
  private TestBalancer balancer;

  @BeforeEach
  void start() {
    replica = new FakeReplica(answer -> answer.json(200, "{}"));
    elsewhere = new FakeReplica(answer -> answer.json(200, "{\"secret\":1}"));
    balancer = TestBalancer.inFrontOf(replica);
  }

  @AfterEach
  void stop() {
    balancer.close();
    replica.close();
    elsewhere.close();
    assertEquals(0, elsewhere.connections());
  }

  @Test
  void ignoresTheHostOfAnAbsoluteTarget() throws Exception {
    String answer = get(elsewhere.url() + "/v1/models?a=b", "x");
    assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    FakeReplica.Request asked = replica.nextRequest();
    assertEquals("/v1/models?a=b", asked.uri());
    assertEquals(replica.url().getAuthority(), asked.headers().get("host"));
  }

  @Test
  void ignoresTheHostHeader() throws Exception {
    String answer = get("/v1/models", elsewhere.url().getAuthority());
    assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    assertEquals(replica.url().getAuthority(), replica.nextRequest().headers().get("host"));
  }

  @Test
  void followsNoRedirect() throws Exception {
    String moved =
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: "
            + elsewhere.url()
            + "/v1/models\r\ncontent-length: 0\r\n\r\n";
    replica.behave(answer -> answer.raw(moved));
    String answer = get("/v1/models", "x");
    assertTrue(answer.startsWith("HTTP/1.1 307 "), answer);
    assertTrue(answer.contains(elsewhere.url() + "/v1/models"), answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/models/../../metrics",
        "/v1/models/%2e%2E/%2e./metrics",
        "/v1/models/..%2f..%2fmetrics",
        "/v1/models/..\\..\\metrics",
        "/v1/modelsx",
        "//127.0.0.1/v1/models",
        "http://127.0.0.1",
        "ftp://127.0.0.1/metrics",
        "*"
      })
  void leadsNowhereElseOnAReplica(String target) throws Exception {
    String answer = get(target, "x");
    assertTrue(answer.startsWith("HTTP/1.1 404 "), answer);
    assertEquals(0, replica.waitingRequests());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/models/meta-llama/Llama-3.1", "/v1/models/a%2Fb"})
  void asksForModelsByAnyName(String target) throws Exception {
    assertTrue(get(target, "x").startsWith("HTTP/1.1 200 "));
    assertEquals(target, replica.nextRequest().uri());
  }

  private String get(String target, String host) throws Exception {
    try (RawClient client = new RawClient(balancer.port())) {
      client.send("GET " + target + " HTTP/1.1\r\nhost: " + host + "\r\nconnection: close\r\n\r\n");
      return client.readToEnd();
    }
  }
}
