package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.TestBalancer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that others wrote, over HTTP/2 without TLS. With TLS: {@link TlsTest}. */
class Http2ClientsTest {

  private static final String PATH = "/v1/chat/completions";

  /** Eight streams at once on one connection; prints each body's length and the version. */
  private static final String NODE =
      """
      const http2 = require('node:http2');
      const [url, body] = process.argv.slice(1);
      const session = http2.connect(url);
      const one = () => new Promise((done, failed) => {
        const stream = session.request({':method': 'POST', ':path': '/v1/chat/completions'});
        let text = '';
        let status;
        stream.setEncoding('utf8');
        stream.on('response', headers => { status = headers[':status']; });
        stream.on('data', part => { text += part; });
        stream.on('end', () => done(status + ' ' + text.length));
        stream.on('error', failed);
        stream.end(body);
      });
      Promise.all(Array.from({length: 8}, one)).then(all => {
        console.log(all.join('\\n'));
        session.close();
      });
      """;

  private FakeReplica replica;
  private TestBalancer balancer;

  @BeforeEach
  void start() {
    replica = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    balancer = TestBalancer.inFrontOf(replica);
  }

  @AfterEach
  void stop() {
    Eventually.until("no open request", balancer::idle);
    balancer.close();
    replica.close();
  }

  @Test
  void javaUpgrades() throws Exception {
    for (int i = 0; i < 2; i++) {
      HttpResponse<byte[]> answer =
          balancer.postIn(HttpClient.Version.HTTP_2, PATH, TestBalancer.chatBody(true));
      assertEquals(HttpClient.Version.HTTP_2, answer.version());
      assertEquals(Chunks.ANSWER, new String(answer.body(), StandardCharsets.UTF_8));
      FakeReplica.Request request = replica.nextRequest();
      assertEquals("POST", request.method());
      assertEquals(PATH, request.uri());
      for (String name : request.headers().keySet()) {
        assertFalse(
            name.startsWith("x-http2") || List.of("upgrade", "http2-settings").contains(name),
            name);
      }
    }
    assertEquals(1, replica.connections());
  }

  @Test
  void javaStaysWithHttp1WhereTheBodyIsLong() throws Exception {
    String body = TestBalancer.chatBody(true, "blue ".repeat(20_000));
    HttpResponse<byte[]> answer = balancer.postIn(HttpClient.Version.HTTP_2, PATH, body);
    assertEquals(HttpClient.Version.HTTP_1_1, answer.version());
    assertEquals(Chunks.ANSWER, new String(answer.body(), StandardCharsets.UTF_8));
  }

  @Test
  void refusalsAreTheSame() throws Exception {
    for (HttpClient.Version version : HttpClient.Version.values()) {
      HttpResponse<byte[]> answer = balancer.postIn(version, PATH, "{");
      assertEquals(version, answer.version());
      assertEquals(400, answer.statusCode());
      assertEquals("application/json", answer.headers().firstValue("content-type").orElseThrow());
      assertEquals(
          "{\"error\":{", new String(answer.body(), StandardCharsets.UTF_8).substring(0, 10));
    }
  }

  @Test
  void curlKnowsBeforehand() throws Exception {
    assertCurl("--http2-prior-knowledge");
  }

  @Test
  void curlUpgrades() throws Exception {
    assertCurl("--http2");
  }

  private void assertCurl(String option) throws Exception {
    assumeTrue(output("curl", "--version").contains("HTTP2"), "curl without HTTP/2");
    assertEquals(
        Chunks.ANSWER + "200 2",
        output(
            "curl",
            "-sN",
            option,
            "-w",
            "%{http_code} %{http_version}",
            "-d",
            TestBalancer.chatBody(true),
            "http://127.0.0.1:" + balancer.port() + PATH));
  }

  @Test
  void nodeSendsManyAtOnce() throws Exception {
    assumeTrue(!output("node", "--version").isEmpty(), "no node");
    String printed =
        output(
            "node", "-e", NODE, "http://127.0.0.1:" + balancer.port(), TestBalancer.chatBody(true));
    assertEquals(("200 " + Chunks.ANSWER.length() + "\n").repeat(8), printed);
  }

  /** What a command prints; nothing if there is no such command. */
  private static String output(String... command) throws InterruptedException, IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException absent) {
      return "";
    }
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed;
  }
}
