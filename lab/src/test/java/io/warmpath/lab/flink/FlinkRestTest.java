package io.warmpath.lab.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FlinkRestTest {

  private final AtomicReference<String> asked = new AtomicReference<>();
  private HttpServer server;
  private FlinkRest rest;
  private int status = 200;
  private String answer = "{}";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.set(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    rest = new FlinkRest(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aRefusalNamesTheAddressAndFlinksOwnReason() {
    status = 400;
    answer =
        "{\"errors\":[\"Bad request\",\"at x\\nCaused by: java.lang.Illegal: --bound: wrong\\n at y\"]}";
    FlinkRestException thrown = assertThrows(FlinkRestException.class, () -> rest.cancel("a1"));
    assertEquals(400, thrown.status());
    assertTrue(
        thrown.getMessage().startsWith("PATCH " + rest.address() + "/jobs/a1?mode=cancel: 400"),
        thrown.getMessage());
    assertTrue(thrown.getMessage().endsWith("--bound: wrong"), thrown.getMessage());
  }

  @Test
  void whatIsNoFlinkIsSaidToBe() {
    answer = "<html>";
    FlinkRestException thrown = assertThrows(FlinkRestException.class, () -> rest.jobs());
    assertTrue(thrown.getMessage().contains("is that a Flink REST endpoint?"), thrown.getMessage());
  }

  @Test
  void anAnswerWithoutEndIsNotRead() {
    answer = "[" + " ".repeat(33 << 20) + "]";
    FlinkRestException thrown = assertThrows(FlinkRestException.class, () -> rest.jars());
    assertTrue(thrown.getMessage().contains("larger than"), thrown.getMessage());
  }

  @Test
  void aSavepointThatNobodyKnowsIsNone() throws Exception {
    status = 404;
    assertTrue(rest.savepoint("a1", "b2").isEmpty());
  }

  @Test
  void aJobIsStoppedByAnIdOfOurs() throws Exception {
    rest.triggerStop("a1", "b2", null);
    assertEquals(
        "POST /jobs/a1/stop {\"triggerId\":\"b2\",\"formatType\":\"CANONICAL\",\"drain\":false}",
        asked.get());
  }
}
