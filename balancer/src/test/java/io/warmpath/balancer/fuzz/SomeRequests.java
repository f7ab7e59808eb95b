package io.warmpath.balancer.fuzz;

import io.warmpath.balancer.fixture.TestBalancer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** What clients send: requests of all kinds, most of them slightly wrong. */
final class SomeRequests {

  private static final String TOOLS =
      "{\"model\":\""
          + TestBalancer.MODEL
          + "\",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"user\":\"u\","
          + "\"max_tokens\":5,\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],"
          + "\"messages\":[{\"role\":\"system\",\"content\":\"Be\\u0020brief.\"},"
          + "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"é漢😀\"}]}]}";

  private static final List<String> ALL =
      List.of(
          post("/v1/chat/completions", TestBalancer.chatBody(true)),
          post("/v1/chat/completions", TestBalancer.chatBody(false)),
          post("/v1/chat/completions", TOOLS),
          post(
              "/v1/completions",
              "{\"model\":\"warmpath-demo\",\"prompt\":[1,2,3],\"stream\":true}"),
          post("/v1/completions", "{\"model\":\"warmpath-demo\",\"prompt\":[\"a\",\"b\"]}"),
          post("/v1/embeddings", "{\"model\":\"warmpath-demo\",\"input\":\"a\"}"),
          post("/v1/chat/completions", TestBalancer.chatBody(true, "long ".repeat(2_000))),
          post("/v1/chat/completions", TestBalancer.chatBody(true))
              + post("/v1/chat/completions", TestBalancer.chatBody(false)),
          post("/v1/chat/completions", TestBalancer.chatBody(true)).replace("1.1", "1.0"),
          "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
              + Integer.toHexString(TestBalancer.chatBody(true).length())
              + ";x=y\r\n"
              + TestBalancer.chatBody(true)
              + "\r\n0\r\nx-trailer: 1\r\n\r\n",
          "GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n",
          "GET http://elsewhere/v1/models?a=b HTTP/1.1\r\nhost: x\r\n\r\n",
          "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n");

  private SomeRequests() {}

  private static String post(String path, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nhost: x\r\ntraceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        + "\r\nx-session-id: s\r\ncontent-length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + "\r\n\r\n"
        + body;
  }

  static byte[] next(Random random) {
    if (random.nextInt(20) == 0) {
      return Mutations.noise(random);
    }
    byte[] right = ALL.get(random.nextInt(ALL.size())).getBytes(StandardCharsets.UTF_8);
    return random.nextInt(4) == 0 ? right : Mutations.mutated(right, random);
  }
}
