package io.warmpath.lab.balancer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.BalancerServer;
import io.warmpath.balancer.ModelConfig;
import io.warmpath.balancer.ReplicaAddress;
import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.events.InMemoryEventSink;
import io.warmpath.balancer.prompt.ChatMessage;
import io.warmpath.balancer.prompt.Prompt;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.prompt.PromptEncoder;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.tokenize.TokenizeSettings;
import io.warmpath.lab.Await;
import io.warmpath.replica.ReplicaConfig;
import io.warmpath.replica.ReplicaServer;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A balancer that asks the project's own replica for tokens sees exactly what that computes. */
class EngineTokensTest {

  private static final String HOST = "127.0.0.1";
  private static final String MODEL = "warmpath-demo";
  private static final double TIME_SCALE = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final EngineProfile profile = EngineProfile.load("llama-3.1-8b-h100");
  private final InMemoryEventSink events = new InMemoryEventSink(1000);
  private final HttpClient http = HttpClient.newHttpClient();
  private final ReplicaServer replica =
      ReplicaServer.start(
          ReplicaConfig.builder()
              .model(MODEL)
              .host(HOST)
              .port(0)
              .profile(profile)
              .timeScale(TIME_SCALE)
              .build());
  private final BalancerServer balancer =
      BalancerServer.start(
          BalancerConfig.builder()
              .listen(HOST, 0)
              .admin(HOST, 0)
              .events(new EventSettings(1000, Duration.ofSeconds(1), 1))
              .timeScale(TIME_SCALE)
              .model(
                  new ModelConfig(
                      MODEL,
                      TokenizerKind.ENGINE,
                      profile.blockTokens(),
                      List.of(
                          new ReplicaAddress(
                              "replica-0", URI.create("http://" + HOST + ":" + replica.port()))),
                      null,
                      new TokenizeSettings(Duration.ofMinutes(1))))
              .build(),
          events);

  @AfterEach
  void close() {
    balancer.close();
    replica.close();
  }

  @Test
  void everyTurnOfAConversationIsExact() throws Exception {
    List<ChatMessage> chat = new ArrayList<>();
    chat.add(new ChatMessage("system", "You know all about the sky. ".repeat(40)));
    for (int turn = 0; turn < 4; turn++) {
      chat.add(new ChatMessage("user", "And what of the colour, for the " + turn + "th time?"));
      post("/v1/chat/completions", "\"messages\":[" + json(chat) + "]");
      chat.add(new ChatMessage("assistant", "Blue, since the air scatters it. ".repeat(9)));
      assertExact(turn, new Prompt.Chat(chat.subList(0, chat.size() - 1), true, true));
    }
    assertTrue(
        finished().get(3).facts().chosenCachedTokens() > finished().get(1).facts().promptTokens());
  }

  @Test
  void aCompletionIsExact() throws Exception {
    String text = "Once upon a time there was a sky. ".repeat(20);
    post("/v1/completions", "\"prompt\":\"" + text + "\"");
    assertExact(0, new Prompt.Texts(List.of(text)));
  }

  private void assertExact(int request, Prompt prompt) {
    PromptBlocks expected =
        new PromptEncoder(TokenizerKind.QUAD, profile.blockTokens()).encode(prompt, "");
    Routed routed = events(Routed.class).get(request);
    long[] hashes = new long[routed.prefix().hashesB64().size()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = routed.prefix().hashesB64().get(i);
    }
    assertArrayEquals(expected.hashes(), hashes);
    assertEquals(expected.tokens(), routed.facts().promptTokens());
    assertTrue(routed.facts().promptTokensExact());

    Await.until("request " + request + " is over", PATIENCE, () -> finished().size() > request);
    Finished finished = finished().get(request);
    assertEquals(expected.tokens(), finished.facts().promptTokens(), "as the engine counts");
    assertEquals(finished.facts().chosenCachedTokens(), finished.cachedTokens(), "as it has it");
  }

  private List<Finished> finished() {
    return events(Finished.class);
  }

  private <E extends RequestEvent> List<E> events(Class<E> type) {
    return events.events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static String json(List<ChatMessage> chat) {
    return chat.stream()
        .map(m -> "{\"role\":\"" + m.role() + "\",\"content\":\"" + m.content() + "\"}")
        .collect(Collectors.joining(","));
  }

  private void post(String path, String fields) throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + balancer.port() + path))
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"model\":\"" + MODEL + "\",\"max_tokens\":4," + fields + "}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response.body());
  }
}
