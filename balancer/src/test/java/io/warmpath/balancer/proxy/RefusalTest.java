package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.schemas.request.RequestEvent;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that no replica gets to see, and odd ones that are served. */
class RefusalTest {

  private FakeReplica replica;
  private TestBalancer balancer;

  @BeforeEach
  void start() {
    replica = new FakeReplica(answer -> answer.json(200, Chunks.JSON_ANSWER));
    balancer = TestBalancer.with(config -> config.limits(new Limits(100_000, 4096)), replica);
  }

  @AfterEach
  void stop() {
    balancer.close();
    replica.close();
  }

  @Test
  void refusesUnknownModelsAsOpenAiDoes() throws Exception {
    refused(404, "model_not_found", "/v1/chat/completions", "{\"model\":\"gpt\",\"messages\":[]}");
  }

  @Test
  void refusesRequestsWithoutModel() throws Exception {
    refused(400, "model_missing", "/v1/chat/completions", "{\"messages\":[]}");
  }

  @Test
  void refusesBodiesThatAreNoJson() throws Exception {
    refused(400, "invalid_body", "/v1/completions", "{\"model\":");
  }

  @Test
  void refusesUnknownPaths() throws Exception {
    refused(404, "unknown_path", "/v1/responses", "{}");
  }

  @Test
  void refusesOtherMethods() throws Exception {
    refused(405, "unknown_method", "/v1/models", "{}");
    assertEquals(405, balancer.get("/v1/chat/completions").statusCode());
  }

  @Test
  void refusesBodiesThatAreTooLarge() throws Exception {
    try (RawClient client = new RawClient(balancer.port())) {
      client.send("POST /v1/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 100001\r\n\r\n");
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 413 "));
    }
    try (RawClient client = new RawClient(balancer.port())) {
      client.send("POST /v1/completions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n");
      client.send("186A1\r\n" + "x".repeat(100_001) + "\r\n");
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 413 "));
    }
  }

  @Test
  void refusesHeadersThatAreTooLarge() throws Exception {
    try (RawClient client = new RawClient(balancer.port())) {
      client.send("GET /v1/models HTTP/1.1\r\nx: " + "y".repeat(5000) + "\r\n\r\n");
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 431 "));
    }
  }

  @Test
  void refusesWhatIsNoHttp() throws Exception {
    try (RawClient client = new RawClient(balancer.port())) {
      client.send("\u0016\u0003\u0001 hello\r\n\r\n");
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 400 "));
    }
  }

  @Test
  void servesUnknownModelsWhereConfigured() throws Exception {
    try (TestBalancer lenient =
        TestBalancer.with(config -> config.unknownModel(UnknownModel.FIRST), replica)) {
      String body = "{\"model\":\"gpt\",\"messages\":[]}";
      assertEquals(200, lenient.post("/v1/chat/completions", body).statusCode());
      assertEquals(TestBalancer.MODEL, lenient.finished().context().model());
    }
  }

  @Test
  void asksForTheBodyOfAClientThatWaits() throws Exception {
    String body = TestBalancer.chatBody(false);
    try (RawClient client = new RawClient(balancer.port())) {
      client.send(
          "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\nconnection: close\r\n"
              + "content-length: "
              + body.length()
              + "\r\n\r\n");
      assertTrue(client.readHead().startsWith("HTTP/1.1 100 "));
      client.send(body);
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 200 "));
    }
  }

  @Test
  void servesRequestsThatComeAllAtOnce() throws Exception {
    String body = TestBalancer.chatBody(false);
    String request =
        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    String last = request.replace("host: x", "host: x\r\nconnection: close");
    try (RawClient client = new RawClient(balancer.port())) {
      client.send(request.repeat(99) + last);
      assertEquals(100, client.readToEnd().split("HTTP/1.1 200 OK", -1).length - 1);
    }
  }

  @Test
  void servesClientsOfHttp10() throws Exception {
    replica.behave(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    String body = TestBalancer.chatBody(true);
    try (RawClient client = new RawClient(balancer.port())) {
      client.send(
          "POST /v1/chat/completions HTTP/1.0\r\ncontent-length: "
              + body.length()
              + "\r\n\r\n"
              + body);
      assertTrue(client.readToEnd().endsWith("\r\n\r\n" + Chunks.ANSWER));
    }
  }

  private void refused(int status, String code, String path, String body) throws Exception {
    HttpResponse<String> response = balancer.post(path, body);
    assertEquals(status, response.statusCode());
    assertEquals(code, new ObjectMapper().readTree(response.body()).at("/error/code").asText());
    assertEquals(List.of(), balancer.events(RequestEvent.class));
    assertEquals(
        "warmpath_balancer_refused_total{reason=\"" + code + "\"} 1",
        balancer.metric("warmpath_balancer_refused_total{reason=\"" + code));
    assertEquals(0, replica.waitingRequests());
  }
}
