package io.warmpath.balancer.fuzz;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.FakeReplica;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What replicas answer: answers of all kinds, most of them slightly wrong, cut anywhere. */
final class SomeAnswers {

  private static final String SSE = "content-type: text/event-stream\r\n";
  private static final String JSON = "content-type: application/json\r\n";
  private static final String ERROR = "{\"error\":{\"message\":\"out of memory\"}}";

  private static final List<String> ALL =
      List.of(
          head(200, SSE + "transfer-encoding: chunked\r\n") + chunked(Chunks.ANSWER_WITH_USAGE),
          head(200, SSE + "transfer-encoding: chunked\r\n")
              + chunked(Chunks.ROLE, ": ping\n\n", Chunks.content("é漢"), Chunks.USAGE, Chunks.DONE),
          head(200, SSE + "transfer-encoding: chunked\r\n")
              + chunked(Chunks.content("a"), "data: " + ERROR + "\n\n"),
          head(200, SSE + "transfer-encoding: chunked\r\n") + chunked("data: " + ERROR + "\n\n"),
          head(200, SSE) + Chunks.ANSWER_WITH_USAGE,
          measured(200, SSE, Chunks.ANSWER_WITH_USAGE.replace("\n", "\r\n")),
          measured(200, SSE, "data: " + "x".repeat(20_000) + "\n\n" + Chunks.DONE),
          measured(200, JSON, Chunks.JSON_ANSWER),
          measured(200, JSON + "content-encoding: gzip\r\n", "no gzip"),
          measured(200, "", "anything"),
          measured(400, JSON, ERROR),
          measured(429, JSON + "retry-after: 1\r\n", ERROR),
          measured(500, JSON, ERROR),
          measured(503, JSON, ERROR),
          head(204, "") + "",
          head(100, "") + measured(200, JSON, Chunks.JSON_ANSWER),
          head(101, "upgrade: x\r\nconnection: upgrade\r\n") + "x",
          head(304, JSON),
          measured(302, "location: http://127.0.0.1:1/\r\n", ""),
          measured(200, JSON + "connection: close\r\n", Chunks.JSON_ANSWER));

  private SomeAnswers() {}

  private static String head(int status, String headers) {
    return "HTTP/1.1 " + status + " Whatever\r\n" + headers + "\r\n";
  }

  private static String measured(int status, String headers, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return head(status, headers + "content-length: " + length + "\r\n") + body;
  }

  private static String chunked(String... parts) {
    StringBuilder body = new StringBuilder();
    for (String part : parts) {
      int length = part.getBytes(StandardCharsets.UTF_8).length;
      body.append(Integer.toHexString(length)).append("\r\n").append(part).append("\r\n");
    }
    return body.append("0\r\nx-trailer: 1\r\n\r\n").toString();
  }

  /** Answers, or not. */
  static void give(FakeReplica.Answer answer, Random random) {
    int fate = random.nextInt(40);
    if (fate == 0) {
      return;
    }
    if (fate > 2) {
      send(answer, bytes(random), random);
    }
    if (fate < 20) {
      answer.die();
    }
  }

  private static byte[] bytes(Random random) {
    if (random.nextInt(20) == 0) {
      return Mutations.noise(random);
    }
    byte[] right = ALL.get(random.nextInt(ALL.size())).getBytes(StandardCharsets.UTF_8);
    return random.nextInt(3) == 0 ? right : Mutations.mutated(right, random);
  }

  private static void send(FakeReplica.Answer answer, byte[] bytes, Random random) {
    int longest = 1 + random.nextInt(4_000);
    for (int from = 0; from < bytes.length; ) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(longest));
      answer.raw(new String(Arrays.copyOfRange(bytes, from, to), StandardCharsets.ISO_8859_1));
      from = to;
    }
  }
}
