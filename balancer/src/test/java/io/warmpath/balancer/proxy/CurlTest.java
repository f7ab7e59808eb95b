package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.TestBalancer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client that everybody tries first. */
class CurlTest {

  @TempDir private Path folder;

  private FakeReplica replica;
  private TestBalancer balancer;

  @BeforeAll
  static void isThere() {
    boolean there;
    try {
      there = run(List.of("curl", "--version")).startsWith("curl ");
    } catch (IOException e) {
      there = false;
    }
    Assumptions.assumeTrue(there, "curl is not installed");
  }

  @BeforeEach
  void start() {
    replica = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    balancer = TestBalancer.inFrontOf(replica);
  }

  @AfterEach
  void stop() {
    balancer.close();
    replica.close();
  }

  @Test
  void streams() throws IOException {
    assertEquals(Chunks.ANSWER, curl("-N", "-d", TestBalancer.chatBody(true), chat()));
  }

  @Test
  void streamsOverHttp10() throws IOException {
    assertEquals(Chunks.ANSWER, curl("-N", "--http1.0", "-d", TestBalancer.chatBody(true), chat()));
  }

  @Test
  void waitsForTheWordBeforeItSendsALargeBody() throws Exception {
    Path body =
        Files.writeString(
            folder.resolve("body"), TestBalancer.chatBody(true, "long ".repeat(500_000)));
    String said =
        curl("-v", "-H", "Expect: 100-continue", "-d", "@" + body, "-o", folder + "/out", chat());
    assertTrue(said.contains("< HTTP/1.1 100 Continue"), said);
    assertEquals(Chunks.ANSWER, Files.readString(folder.resolve("out")));
    assertEquals(Files.size(body), withoutUsage(replica.nextRequest().body()).length());
  }

  private static String withoutUsage(String body) {
    return body.replaceFirst(",?\"stream_options\":\\{\"include_usage\":true},?", "");
  }

  @Test
  void sendsItsBodyInChunks() throws IOException {
    String body = TestBalancer.chatBody(true);
    assertEquals(Chunks.ANSWER, curl("-N", "-H", "Transfer-Encoding: chunked", "-d", body, chat()));
  }

  @Test
  void usesItsConnectionAgain() throws IOException {
    String body = TestBalancer.chatBody(true);
    String connections =
        curl(
            "-w",
            "%{num_connects}\\n",
            "-o",
            "/dev/null",
            "-o",
            "/dev/null",
            "-d",
            body,
            chat(),
            chat());
    assertEquals("1\n0\n", connections);
  }

  private String chat() {
    return "http://127.0.0.1:" + balancer.port() + "/v1/chat/completions";
  }

  private static String curl(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("curl", "-sS", "-m", "60"));
    command.addAll(List.of("-H", "Content-Type: application/json"));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private static String run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
