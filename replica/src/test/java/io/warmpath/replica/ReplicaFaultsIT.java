package io.warmpath.replica;

import static io.warmpath.replica.RunningReplica.JSON;
import static io.warmpath.replica.RunningReplica.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Faults that are set while the replica runs. */
class ReplicaFaultsIT {

  private static final String LONG_PROMPT = "A long document about caches. ".repeat(40);

  private final RunningReplica replica =
      new RunningReplica(options -> options.countersInterval(Duration.ofMillis(50)));

  @AfterEach
  void close() {
    replica.close();
  }

  @Test
  void nothingIsSetAtFirst() throws IOException {
    assertEquals(
        "{\"speed\":1.0,\"drift_ms\":0,\"stall_ms\":0,\"reject_share\":0.0,\"reject_status\":503,"
            + "\"crash_requests\":0,\"crash_after_tokens\":1,\"lose_batches\":0,"
            + "\"duplicate_batches\":0,\"reorder_batches\":0}",
        replica.get("/admin/faults").body());
  }

  @Test
  void orderChangesOnlyWhatItNames() throws IOException {
    set("{\"lose_batches\":0,\"reject_status\":429}");
    JsonNode state = set("{\"speed\":0.5,\"drift_ms\":3600000}");
    assertEquals(429, state.at("/reject_status").asInt());
    assertEquals(0.5, state.at("/speed").asDouble());
    assertTrue(state.at("/drift_ms").asLong() > 0);
    assertEquals("{\"factor\":0.5}", replica.get("/admin/speed").body());
    assertEquals(0, set("{\"speed\":1}").at("/drift_ms").asLong());
  }

  @Test
  void wrongOrderIsRefusedByItsField() throws IOException {
    assertRefused("speed is 0.0, must be from 0.001 to 1000", "{\"speed\":0}");
    assertRefused("drift_ms needs speed", "{\"drift_ms\":5}");
    assertRefused("reject_share is 1.5", "{\"reject_share\":1.5}");
    assertRefused("lose_batches", "{\"lose_batches\":\"many\"}");
    assertRefused("explode", "{\"explode\":true}");
    assertRefused("not JSON", "nonsense");
    assertRefused("not one JSON object", "[]");
    assertRefused("not a JSON object", "null");
    assertEquals(1.0, JSON.readTree(replica.get("/admin/faults").body()).at("/speed").asDouble());
  }

  @Test
  void answerBreaksOffAfterSoManyTokens() throws IOException {
    set("{\"crash_requests\":1,\"crash_after_tokens\":3}");
    String broken = stream("{\"prompt\":\"x\",\"max_tokens\":50,\"stream\":true}");
    assertEquals(3, count(broken, "data: "), broken);
    assertFalse(broken.contains("[DONE]"));
    await("the engine is free", () -> metric("vllm:num_requests_running") == 0);
    assertEquals(0, metric("vllm:kv_cache_usage_perc"));
    String whole = stream("{\"prompt\":\"x\",\"max_tokens\":50,\"stream\":true}");
    assertEquals(50 + 1, count(whole, "data: "), whole);
  }

  @Test
  void shortAnswerBreaksOffBeforeItsLastToken() throws IOException {
    set("{\"crash_requests\":1,\"crash_after_tokens\":100}");
    String broken = stream("{\"prompt\":\"x\",\"max_tokens\":2,\"stream\":true}");
    assertEquals(1, count(broken, "data: "), broken);
  }

  @Test
  void shareOfTheRequestsIsRefused() throws IOException {
    set("{\"reject_share\":0.5,\"reject_status\":429}");
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      statuses.add(complete().statusCode());
    }
    assertEquals(List.of(200, 429, 200, 429), statuses);
    set("{\"reject_share\":0}");
    assertEquals(200, complete().statusCode());
  }

  @Test
  void stalledEngineAnswersWhenTheStallEnds() throws IOException {
    assertTrue(set("{\"stall_ms\":3600000}").at("/stall_ms").asLong() > 0);
    CompletableFuture<Integer> status =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return complete().statusCode();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    await("it waits", () -> metric("vllm:num_requests_waiting") == 1);
    assertEquals(200, replica.get("/health").statusCode());
    assertFalse(status.isDone());
    set("{\"stall_ms\":0}");
    assertEquals(200, status.join());
  }

  @Test
  void restartForgetsEverythingAndOnlyItsIncarnationSaysSo() throws IOException {
    complete();
    await("blocks are told", () -> stored(0) > 0);
    long before = replica.sink.batches.get(0).incarnation();
    set("{\"restart\":true}");
    JsonNode cold = JSON.readTree(complete().body());
    assertEquals(0, cold.at("/usage/prompt_tokens_details/cached_tokens").asInt());
    assertEquals(
        cold.at("/usage/prompt_tokens").asInt(), metric("vllm:prefix_cache_queries_total"));
    await("the new incarnation tells its blocks", () -> stored(before + 1) > 0);
    List<CacheEventBatch> fresh =
        replica.sink.batches.stream().filter(batch -> batch.incarnation() > before).toList();
    assertEquals(0, fresh.get(0).seq());
    assertEquals(1, fresh.stream().map(CacheEventBatch::incarnation).distinct().count());
    assertFalse(replica.sink.events().contains(new CacheEvent.Cleared()));
  }

  @Test
  void restartBreaksOpenAnswersOff() throws IOException {
    CompletableFuture<String> open =
        CompletableFuture.supplyAsync(
            () -> stream("{\"prompt\":\"x\",\"max_tokens\":15000,\"stream\":true}"));
    await("it runs", () -> metric("vllm:num_requests_running") == 1);
    set("{\"restart\":true}");
    assertFalse(open.join().contains("[DONE]"));
    await("the engine is free", () -> metric("vllm:num_requests_running") == 0);
  }

  private long stored(long leastIncarnation) {
    return replica.sink.batches.stream()
        .filter(batch -> batch.incarnation() >= leastIncarnation)
        .flatMap(batch -> batch.events().stream())
        .filter(CacheEvent.Stored.class::isInstance)
        .count();
  }

  private HttpResponse<String> complete() throws IOException {
    return replica.post("/v1/completions", "{\"prompt\":\"" + LONG_PROMPT + "\",\"max_tokens\":2}");
  }

  private JsonNode set(String order) throws IOException {
    return replica.json("/admin/faults", order);
  }

  private void assertRefused(String expected, String order) throws IOException {
    HttpResponse<String> response = replica.post("/admin/faults", order);
    assertEquals(400, response.statusCode(), response.body());
    assertTrue(response.body().contains(expected), response.body());
  }

  private double metric(String series) {
    try {
      return replica.metric(series);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that comes until the other side ends, complete or not. */
  private String stream(String body) {
    try (Socket socket = new Socket("127.0.0.1", replica.server.port())) {
      String head =
          "POST /v1/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: "
              + body.length();
      socket
          .getOutputStream()
          .write((head + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int count(String text, String part) {
    return (text.length() - text.replace(part, "").length()) / part.length();
  }
}
