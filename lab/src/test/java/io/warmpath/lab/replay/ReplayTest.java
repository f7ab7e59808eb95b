package io.warmpath.lab.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.warmpath.lab.trace.Trace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplayTest {

  private static final String GOOD =
      """
      data: {"choices":[{"text":""}]}

      data: {"choices":[{"text":" a"}]}

      data: {"choices":[],"usage":{"prompt_tokens":700,"completion_tokens":2,\
      "prompt_tokens_details":{"cached_tokens":512}}}

      data: [DONE]

      """;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  private ReplayReport replay(Trace trace, int maxInFlight) {
    URI target = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    ReplayOptions options =
        new ReplayOptions(target, "m", 1000, Duration.ofSeconds(20), maxInFlight);
    return new Replay(trace, options).run(progress -> {});
  }

  private static Trace trace(int requests) throws IOException {
    return SmallTraces.conversations(requests, 1, 1, 7);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().add("x-warmpath-replica", "replica-1");
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Test
  void countsAnswersAndWhatTheySayOfTheCache() throws IOException {
    server.createContext("/v1/completions", exchange -> answer(exchange, 200, GOOD));

    ReplayReport report = replay(trace(10), 100);

    assertEquals(10, report.ok());
    assertEquals(0, report.failed());
    assertEquals(7000, report.promptTokens());
    assertEquals(5120, report.cachedTokens());
    assertEquals(20, report.outputTokens());
    assertEquals(Map.of("replica-1", 10L), report.requestsByReplica());
  }

  @Test
  void sendsLaterRequestsWhileEarlierOnesHang() throws IOException {
    int requests = 5;
    CountDownLatch allHere = new CountDownLatch(requests);
    server.createContext(
        "/v1/completions",
        exchange -> {
          allHere.countDown();
          try {
            // Answered only when all are here: a closed loop would wait for ever.
            allHere.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          answer(exchange, 200, GOOD);
        });

    assertEquals(requests, replay(trace(requests), 100).ok());
  }

  @Test
  void whatDoesNotFitIsCountedAndNotSent() throws IOException {
    CountDownLatch release = new CountDownLatch(1);
    server.createContext(
        "/v1/completions",
        exchange -> {
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          answer(exchange, 200, GOOD);
        });
    Trace trace = trace(4);
    ReplayOptions options =
        new ReplayOptions(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1"),
            "m",
            1000,
            Duration.ofSeconds(20),
            1);

    ReplayReport report =
        new Replay(trace, options)
            .run(
                results -> {
                  if (results.ended() == 3) {
                    release.countDown();
                  }
                });

    assertEquals(1, report.ok());
    assertEquals(3, report.failed());
    assertEquals(Map.of("not sent: 1 requests are open", 3L), report.errors());
  }

  @Test
  void brokenAnswersAreFailuresWithTheirReason() throws IOException {
    List<String> bodies =
        List.of(
            "data: {\"choices\":[{\"text\":\"a\"}]}\n\n",
            "data: [DONE]\n\n",
            "data: {\"error\":{\"message\":\"out of memory\"}}\n\n",
            "data: nonsense\n\n");
    AtomicInteger next = new AtomicInteger();
    server.createContext(
        "/v1/completions", exchange -> answer(exchange, 200, bodies.get(next.getAndIncrement())));

    ReplayReport report = replay(trace(4), 100);

    assertEquals(0, report.ok());
    assertEquals(
        Map.of(
            "the stream ended without [DONE]", 1L,
            "no token came", 1L,
            "out of memory", 1L,
            "not JSON: nonsense", 1L),
        report.errors());
  }

  @Test
  void aRefusalIsAFailureWithItsStatus() throws IOException {
    server.createContext("/v1/completions", exchange -> answer(exchange, 503, "busy"));

    assertEquals(Map.of("HTTP 503: busy", 3L), replay(trace(3), 100).errors());
  }

  @Test
  void aServerThatIsNotThereFailsEveryRequest() throws IOException {
    server.stop(0);

    assertEquals(Map.of("cannot connect", 3L), replay(trace(3), 100).errors());
  }
}
