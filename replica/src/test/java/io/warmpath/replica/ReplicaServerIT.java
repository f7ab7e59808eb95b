package io.warmpath.replica;

import static io.warmpath.replica.RunningReplica.JSON;
import static io.warmpath.replica.RunningReplica.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.warmpath.routing.prefix.PrefixHasher;
import io.warmpath.schemas.cache.CacheEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplicaServerIT {

  private static final String DOCUMENT = "A long document about caches. ".repeat(40);

  private final List<RunningReplica> running = new ArrayList<>();

  @AfterEach
  void close() {
    running.forEach(RunningReplica::close);
  }

  @Test
  void streamHoldsTheSameTextAsTheWholeAnswer() throws IOException {
    RunningReplica replica = start();
    JsonNode whole = replica.json("/v1/chat/completions", chat(DOCUMENT, 30, ""));
    HttpResponse<String> stream =
        replica.post(
            "/v1/chat/completions",
            chat(DOCUMENT, 30, ",\"stream\":true,\"stream_options\":{\"include_usage\":true}"),
            "x-request-id",
            "my-request");
    assertEquals("my-request", stream.headers().firstValue("x-request-id").orElseThrow());
    assertEquals(
        "text/event-stream; charset=utf-8",
        stream.headers().firstValue("content-type").orElseThrow());
    String[] events = stream.body().split("\n\n");
    assertEquals(1 + 30 + 1 + 1, events.length);
    assertEquals("data: [DONE]", events[32]);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i <= 30; i++) {
      JsonNode choice = data(events[i]).at("/choices/0");
      text.append(choice.at("/delta/content").asText());
      assertEquals(i == 30 ? "length" : "null", choice.at("/finish_reason").asText());
    }
    assertEquals("assistant", data(events[0]).at("/choices/0/delta/role").asText());
    assertEquals(whole.at("/choices/0/message/content").asText(), text.toString());
    assertEquals("chatcmpl-my-request", data(events[31]).at("/id").asText());
    assertEquals(30, data(events[31]).at("/usage/completion_tokens").asInt());
  }

  @Test
  void nextTurnFindsPromptAndAnswerInTheCache() throws IOException {
    RunningReplica replica = start();
    JsonNode first = replica.json("/v1/chat/completions", chat(DOCUMENT, 100, ""));
    String answer = first.at("/choices/0/message/content").asText();
    int known = first.at("/usage/total_tokens").asInt();
    JsonNode second =
        replica.json(
            "/v1/chat/completions",
            "{\"messages\":["
                + message("user", DOCUMENT)
                + ","
                + message("assistant", answer)
                + ","
                + message("user", "And then?")
                + "]}");
    assertEquals(0, first.at("/usage/prompt_tokens_details/cached_tokens").asInt());
    // The last generated token was never computed.
    assertEquals(
        (known - 1) / 16 * 16, second.at("/usage/prompt_tokens_details/cached_tokens").asInt());
    assertEquals("stop", second.at("/choices/0/finish_reason").asText());
    assertEquals(128, second.at("/usage/completion_tokens").asInt());
  }

  @Test
  void eventsTellWhatTheUsageTells() throws IOException {
    RunningReplica replica = start();
    String body = "{\"prompt\":\"" + DOCUMENT + "\",\"max_tokens\":5}";
    replica.post("/v1/completions", body, "x-request-id", "one", "x-warmpath-policy", "blend:0.5");
    JsonNode again = replica.json("/v1/completions", body);
    int cached = again.at("/usage/prompt_tokens_details/cached_tokens").asInt();
    int prompt = again.at("/usage/prompt_tokens").asInt();
    assertEquals((prompt - 1) / 16 * 16, cached);
    await("both prefills are there", () -> prefills(replica).size() == 2);
    CacheEvent.Prefill first = prefills(replica).get(0);
    assertEquals("one", first.requestId());
    assertEquals("blend:0.5", first.policy());
    assertEquals(0, first.cachedTokens());
    assertEquals(1_000 + prompt, first.prefillUs());
    assertEquals(null, first.gpuUs());
    assertEquals(cached, prefills(replica).get(1).cachedTokens());
    assertEquals(prompt, prefills(replica).get(1).promptTokens());
  }

  @Test
  void storedBlocksAreThePrefixHashesOfTheTokens() throws IOException {
    RunningReplica replica = start();
    String prompt = "{\"prompt\":\"" + DOCUMENT + "\",\"max_tokens\":1}";
    JsonNode tokenized = replica.json("/tokenize", prompt);
    int[] tokens = new int[tokenized.at("/count").asInt()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = (int) tokenized.at("/tokens/" + i).asLong();
    }
    assertEquals(16_000, tokenized.at("/max_model_len").asInt());
    replica.post("/v1/completions", prompt);
    await("blocks are stored", () -> !prefills(replica).isEmpty());
    CacheEvent.Stored stored =
        replica.sink.events().stream()
            .filter(CacheEvent.Stored.class::isInstance)
            .map(CacheEvent.Stored.class::cast)
            .findFirst()
            .orElseThrow();
    assertArrayEquals(
        new PrefixHasher(16).hash(PrefixHasher.root("", ""), tokens, 0, tokens.length),
        stored.hashesB64().toArray());
  }

  @Test
  void resetEmptiesTheCacheAndSaysSo() throws IOException {
    RunningReplica replica = start();
    String body = "{\"prompt\":\"" + DOCUMENT + "\",\"max_tokens\":2}";
    replica.post("/v1/completions", body);
    assertEquals(200, replica.post("/reset_prefix_cache", "").statusCode());
    JsonNode cold = replica.json("/v1/completions", body);
    assertEquals(0, cold.at("/usage/prompt_tokens_details/cached_tokens").asInt());
    await("the clear is there", () -> replica.sink.events().contains(new CacheEvent.Cleared()));
  }

  @Test
  void clientThatLeavesFreesTheEngine() throws IOException {
    RunningReplica replica = start(options -> options.maxOutputTokens(15_000));
    String body = "{\"prompt\":\"x\",\"max_tokens\":15000,\"stream\":true}";
    try (Socket socket = new Socket("127.0.0.1", replica.server.port())) {
      String head = "POST /v1/completions HTTP/1.1\r\nhost: x\r\ncontent-length: " + body.length();
      socket
          .getOutputStream()
          .write((head + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      assertTrue(in.read(new byte[4_096]) > 0);
      await("it runs", () -> metric(replica, "vllm:num_requests_running") == 1);
    }
    await("it stops", () -> metric(replica, "vllm:num_requests_running") == 0);
    assertEquals(1, metric(replica, "vllm:request_success_total{finished_reason=\"abort\""));
    assertEquals(0, metric(replica, "vllm:kv_cache_usage_perc"));
  }

  @Test
  void refusalsAreOpenAiErrors() throws IOException {
    RunningReplica replica = start(options -> options.maxBodyBytes(50_000));
    assertError(replica, 404, "model", "{\"model\":\"other\",\"prompt\":\"x\"}");
    assertError(replica, 400, "max_tokens", "{\"prompt\":\"x\",\"max_tokens\":16385}");
    assertError(replica, 400, "max_tokens", "{\"prompt\":\"x\",\"max_tokens\":16000}");
    assertError(replica, 400, "prompt", "{}");
    assertError(replica, 400, null, "{\"prompt\":" + ids(17_000) + "}");
    assertError(replica, 400, null, "nonsense");
    assertError(replica, 413, null, " ".repeat(50_001));
    assertEquals(404, replica.get("/v1/nothing").statusCode());
    assertEquals(405, replica.get("/v1/completions").statusCode());
  }

  @Test
  void moreRequestsThanAllowedAreRefused() throws IOException {
    RunningReplica replica = start(options -> options.maxOpenRequests(1));
    String slow = "{\"prompt\":\"x\",\"max_tokens\":15000,\"stream\":true}";
    try (Socket socket = new Socket("127.0.0.1", replica.server.port())) {
      String head = "POST /v1/completions HTTP/1.1\r\nhost: x\r\ncontent-length: " + slow.length();
      socket
          .getOutputStream()
          .write((head + "\r\n\r\n" + slow).getBytes(StandardCharsets.US_ASCII));
      assertTrue(socket.getInputStream().read(new byte[4_096]) > 0);
      assertError(replica, 503, null, "{\"prompt\":\"y\"}");
    }
  }

  @Test
  void telemetryAndMetricsShowTheEngine() throws IOException {
    RunningReplica replica = start();
    replica.post("/v1/completions", "{\"prompt\":\"" + DOCUMENT + "\",\"max_tokens\":5}");
    await("there is telemetry", () -> replica.sink.telemetry.size() >= 2);
    assertEquals(1_000, replica.sink.telemetry.get(0).kvBlocksTotal());
    assertEquals(1, metric(replica, "vllm:time_to_first_token_seconds_count"));
    assertEquals(5, metric(replica, "vllm:generation_tokens_total"));
    assertEquals(1, metric(replica, "vllm:e2e_request_latency_seconds_bucket{le=\"+Inf\""));
    assertEquals(
        metric(replica, "vllm:prompt_tokens_total"),
        metric(replica, "vllm:prefix_cache_queries_total"));
  }

  @Test
  void speedCanBeChangedAndIsBounded() throws IOException {
    RunningReplica replica = start();
    assertEquals("{\"factor\":1.0}", replica.get("/admin/speed").body());
    assertEquals("{\"factor\":0.5}", replica.post("/admin/speed", "{\"factor\":0.5}").body());
    assertEquals(400, replica.post("/admin/speed", "{\"factor\":0}").statusCode());
    assertEquals(400, replica.post("/admin/speed", "{}").statusCode());
    assertEquals("{\"factor\":0.5}", replica.get("/admin/speed").body());
  }

  @Test
  void clientThatOffersAnUpgradeIsAnsweredInHttp11() throws IOException {
    RunningReplica replica = start();

    assertEquals(HttpClient.Version.HTTP_1_1, replica.get("/health").version());
  }

  @Test
  void modelsAndHealthAnswer() throws IOException {
    RunningReplica replica = start();
    assertEquals(200, replica.get("/health").statusCode());
    JsonNode models = JSON.readTree(replica.get("/v1/models").body());
    assertEquals("warmpath-demo", models.at("/data/0/id").asText());
  }

  @Test
  void kafkaThatIsDownDoesNotMatter() throws IOException {
    ReplicaConfig config =
        ReplicaConfig.builder()
            .port(0)
            .profile(RunningReplica.profile())
            .kafka(Map.of("bootstrap.servers", "127.0.0.1:1"))
            .build();
    try (ReplicaServer server = ReplicaServer.start(config);
        Socket socket = new Socket("127.0.0.1", server.port())) {
      String request =
          "POST /v1/completions HTTP/1.0\r\ncontent-length: 14\r\n\r\n{\"prompt\":\"x\"}";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(response.contains("\"completion_tokens\":128"), response);
    }
  }

  @Test
  void addressInUseIsNamed() {
    RunningReplica replica = start();
    int port = replica.server.port();
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> start(options -> options.port(port)));
    assertTrue(e.getMessage().contains("replica-0 cannot listen on 127.0.0.1:" + port));
  }

  private RunningReplica start() {
    return start(UnaryOperator.identity());
  }

  private RunningReplica start(UnaryOperator<ReplicaConfig.Builder> options) {
    RunningReplica replica = new RunningReplica(options);
    running.add(replica);
    return replica;
  }

  private static void assertError(RunningReplica replica, int status, String param, String body)
      throws IOException {
    HttpResponse<String> response = replica.post("/v1/completions", body);
    assertEquals(status, response.statusCode(), response.body());
    JsonNode error = JSON.readTree(response.body()).at("/error");
    assertEquals(param, error.at("/param").textValue(), response.body());
    assertTrue(error.at("/message").textValue().length() > 5);
    assertTrue(error.has("type") && error.has("code"));
  }

  @Test
  void countersAndPrefillEventsTellOfTheSameHits() throws IOException {
    RunningReplica replica = start(options -> options.countersInterval(Duration.ofMillis(50)));
    String body = "{\"prompt\":\"" + DOCUMENT + "\",\"max_tokens\":2}";
    replica.post("/v1/completions", body);
    replica.post("/v1/completions", body);
    await("both prompts are told", () -> prefills(replica).size() == 2);
    long prompts = prefills(replica).stream().mapToLong(CacheEvent.Prefill::promptTokens).sum();
    await("the counters are told", () -> told(replica, CacheEvent.Counters::queriedTokens) > 0);
    await("they are complete", () -> told(replica, CacheEvent.Counters::queriedTokens) == prompts);
    long hits = prefills(replica).stream().mapToLong(CacheEvent.Prefill::cachedTokens).sum();
    assertTrue(hits > 0);
    assertEquals(hits, told(replica, CacheEvent.Counters::hitTokens));
  }

  private static long told(RunningReplica replica, ToLongFunction<CacheEvent.Counters> figure) {
    return replica.sink.events().stream()
        .filter(CacheEvent.Counters.class::isInstance)
        .map(CacheEvent.Counters.class::cast)
        .mapToLong(figure)
        .sum();
  }

  private static List<CacheEvent.Prefill> prefills(RunningReplica replica) {
    return replica.sink.events().stream()
        .filter(CacheEvent.Prefill.class::isInstance)
        .map(CacheEvent.Prefill.class::cast)
        .toList();
  }

  private static double metric(RunningReplica replica, String series) {
    try {
      return replica.metric(series);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode data(String event) throws IOException {
    assertTrue(event.startsWith("data: {"), event);
    return JSON.readTree(event.substring("data: ".length()));
  }

  private static String chat(String content, int maxTokens, String more) {
    return "{\"model\":\"warmpath-demo\",\"messages\":["
        + message("user", content)
        + "],\"max_tokens\":"
        + maxTokens
        + more
        + "}";
  }

  private static String message(String role, String content) {
    return "{\"role\":\"" + role + "\",\"content\":\"" + content + "\"}";
  }

  private static String ids(int count) {
    return "[1" + ",1".repeat(count - 1) + "]";
  }
}
