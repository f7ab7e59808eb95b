package io.warmpath.balancer.tokenize;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.ModelConfig;
import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeEngine;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.LogLines;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.proxy.UnknownModel;
import io.warmpath.routing.prefix.PrefixHasher;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.Routed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A balancer that asks its engine for the tokens of prompts. */
class EngineTokenizerTest {

  private static final int BLOCK = 4;

  /** Longer than any test takes: whoever waits, waits for the answer. */
  private static final Duration PATIENT = Duration.ofMinutes(1);

  private static final Duration IMPATIENT = Duration.ofMillis(1);

  private static final String CHAT = TestBalancer.chatBody(false);
  private static final int[] TOKENS = {5, 6, 7, 8, 9, 10, 11, 12, 13};

  @Test
  void routesByTheTokensOfTheEngine() throws Exception {
    try (FakeEngine engine = new FakeEngine(telling(TOKENS));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      assertEquals(200, post(balancer, CHAT).statusCode());
      FakeReplica.Request asked = engine.nextTokenization();
      assertEquals("POST", asked.method());
      assertEquals("/tokenize", asked.uri());
      assertEquals("application/json", asked.headers().get("content-type"));
      assertEquals(
          "{\"messages\":[{\"role\":\"user\",\"content\":\"Why is the sky blue?\"}],"
              + "\"model\":\"warmpath-demo\"}",
          asked.body());
      assertEquals(CHAT, engine.nextRequest().body());

      Routed routed = balancer.events(Routed.class).get(0);
      assertEquals(TOKENS.length, routed.facts().promptTokens());
      assertTrue(routed.facts().promptTokensExact());
      assertEquals(hashes("", TOKENS), hashes(routed));
      assertEquals(1, count(balancer, "asked"));
    }
  }

  @Test
  void aPromptThatWasAskedForIsKnown() throws Exception {
    try (FakeEngine engine = new FakeEngine(telling(TOKENS));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      post(balancer, CHAT);
      post(balancer, CHAT.replace("\"stream\":false", "\"temperature\":0.5,\"stream\":false"));
      List<Routed> routed = balancer.events(Routed.class);
      assertEquals(hashes(routed.get(0)), hashes(routed.get(1)));
      assertTrue(routed.get(1).facts().promptTokensExact());
      assertEquals(8, routed.get(1).facts().chosenCachedTokens());
      engine.nextTokenization();
      assertEquals(0, engine.waitingTokenizations());
      assertEquals(1, count(balancer, "known"));
    }
  }

  @Test
  void theSaltKeepsTenantsApart() throws Exception {
    try (FakeEngine engine = new FakeEngine(telling(TOKENS));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      post(balancer, CHAT);
      post(balancer, CHAT.replace("{\"model\"", "{\"cache_salt\":\"t\",\"model\""));
      assertEquals(hashes("t", TOKENS), hashes(balancer.events(Routed.class).get(1)));
      engine.nextTokenization();
      assertFalse(engine.nextTokenization().body().contains("cache_salt"));
    }
  }

  @Test
  void aCompletionIsAskedForByItsText() throws Exception {
    try (FakeEngine engine = new FakeEngine(telling(TOKENS));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      complete(balancer, "\"Once upon a time\"");
      assertEquals(
          "{\"model\":\"warmpath-demo\",\"prompt\":\"Once upon a time\"}",
          engine.nextTokenization().body());
      assertEquals(hashes("", TOKENS), hashes(balancer.events(Routed.class).get(0)));
    }
  }

  @Test
  void tokenIdsNeedNoQuestion() throws Exception {
    try (FakeEngine engine = new FakeEngine(telling(1));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      complete(balancer, "[5,6,7,8,9]");
      assertEquals(hashes("", 5, 6, 7, 8, 9), hashes(balancer.events(Routed.class).get(0)));
      assertEquals(1, count(balancer, "given"));
      assertEquals(0, engine.waitingTokenizations());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"reasoning_effort\":\"low\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]",
        "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"url\":\"u\"}]}]",
        "\"messages\":[]",
      })
  void whatTheEngineCannotBeAskedForIsApproximated(String fields) throws Exception {
    try (FakeEngine engine = new FakeEngine(telling(1));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      post(balancer, "{\"model\":\"" + TestBalancer.MODEL + "\"," + fields + "}");
      assertFalse(balancer.events(Routed.class).get(0).facts().promptTokensExact());
      assertEquals(1, count(balancer, "unsupported"));
      assertEquals(0, engine.waitingTokenizations());
    }
  }

  @Test
  void aSlowEngineDelaysARequestByTheLimitOnly() throws Exception {
    AtomicReference<FakeReplica.Answer> held = new AtomicReference<>();
    try (FakeEngine engine = new FakeEngine((request, answer) -> held.set(answer));
        TestBalancer balancer = inFrontOf(IMPATIENT, engine)) {
      assertEquals(Chunks.JSON_ANSWER, post(balancer, CHAT).body());
      Routed routed = balancer.events(Routed.class).get(0);
      assertFalse(routed.facts().promptTokensExact());
      assertNotEquals(hashes("", TOKENS), hashes(routed));
      assertEquals(1, count(balancer, "late"));

      // The same prompt is as long, and so it is not waited for.
      FakeReplica.Answer first = held.get();
      post(balancer, CHAT);
      assertEquals(1, count(balancer, "not_awaited"));

      first.json(200, FakeEngine.told(TOKENS));
      awaitKnown(balancer);
      assertEquals(hashes("", TOKENS), hashes(last(balancer)));
    }
  }

  @Test
  void aConversationThatGrewGoesByItsPastWhereTheEngineIsSlow() throws Exception {
    try (FakeEngine engine = new FakeEngine(telling(TOKENS));
        TestBalancer balancer = inFrontOf(Duration.ofMillis(200), engine)) {
      Eventually.until("the first turn in time", () -> asksInTime(balancer));
      engine.tokenize((request, answer) -> {});
      String second =
          CHAT.replace(
              "}]}",
              "},{\"role\":\"assistant\",\"content\":\"Rayleigh.\"},"
                  + "{\"role\":\"user\",\"content\":\"Who?\"}]}");
      post(balancer, second);
      Routed routed = last(balancer);
      assertEquals(hashes("", TOKENS), hashes(routed));
      assertEquals(8, routed.facts().chosenCachedTokens());
      assertFalse(routed.facts().promptTokensExact());
      assertTrue(routed.facts().promptTokens() > TOKENS.length);
    }
  }

  private static boolean asksInTime(TestBalancer balancer) {
    try {
      post(balancer, CHAT);
      return last(balancer).facts().promptTokensExact();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"tokens\":\"none\"}",
        "not json",
        "",
        "{\"count\":3,\"tokens\":[1]}",
        "{\"error\":\"too busy\"}"
      })
  void anAnswerThatMakesNoSenseCostsNothing(String told) throws Exception {
    failing((request, answer) -> answer.json(200, told));
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 401, 500, 503})
  void anEngineThatRefusesCostsNothing(int status) throws Exception {
    failing((request, answer) -> answer.json(status, "{\"detail\":\"Not Found\"}"));
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403, 429})
  void aClientsOwnKeyEndsNobodysQuestions(int status) throws Exception {
    try (FakeEngine engine = new FakeEngine((request, answer) -> answer.json(status, "{}"));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      for (int i = 0; i < 5; i++) {
        balancer.post("/v1/chat/completions", CHAT, "authorization", "Bearer wrong");
      }
      assertEquals(5, count(balancer, "failed"));
    }
  }

  @Test
  void anEngineThatDiesCostsNothing() throws Exception {
    failing((request, answer) -> answer.die());
  }

  @Test
  void anAnswerWithoutEndIsCutOff() throws Exception {
    String many = "1,".repeat(1 << 14);
    failing(
        (request, answer) -> {
          answer.stream().send("{\"tokens\":[");
          for (int i = 0; i < 16; i++) {
            answer.send(many);
          }
        });
  }

  /** Each request is answered all the same, and after three of them nobody is asked for a while. */
  private static void failing(BiConsumer<FakeReplica.Request, FakeReplica.Answer> tokenizer)
      throws Exception {
    try (LogLines log = new LogLines();
        FakeEngine engine = new FakeEngine(tokenizer);
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      for (int i = 0; i < 5; i++) {
        HttpResponse<String> response = post(balancer, CHAT);
        assertEquals(200, response.statusCode());
        assertEquals(Chunks.JSON_ANSWER, response.body());
      }
      assertEquals(3, count(balancer, "failed"));
      assertEquals(2, count(balancer, "paused"));
      assertFalse(last(balancer).facts().promptTokensExact());
      assertEquals("up", state(balancer));
      assertTrue(log.text().contains("does not say the tokens of prompts"));
      assertFalse(log.text().contains("Why is the sky blue"), "no prompt in the log");
    }
  }

  @Test
  void anEngineThatTokenizesTextsOnlyIsAskedForThese() throws Exception {
    try (FakeEngine engine =
            new FakeEngine(
                (request, answer) -> {
                  boolean text = request.body().contains("\"prompt\"");
                  answer.json(text ? 200 : 422, FakeEngine.told(TOKENS));
                });
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      for (int i = 0; i < 12; i++) {
        post(balancer, CHAT);
        complete(balancer, "\"prompt " + i + "\"");
      }
      assertEquals(10, count(balancer, "failed"));
      assertEquals(2, count(balancer, "paused"));
      assertEquals(12, count(balancer, "asked"));
    }
  }

  @Test
  void aLongPromptIsReadElsewhereAndAskedForAllTheSame() throws Exception {
    int[] many = IntStream.range(0, 200_000).toArray();
    try (FakeEngine engine = new FakeEngine(telling(many));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      String text = "Why is the sky blue? ".repeat(20_000);
      assertEquals(200, post(balancer, TestBalancer.chatBody(false, text)).statusCode());
      assertEquals(many.length, last(balancer).facts().promptTokens());
      assertTrue(engine.nextTokenization().body().contains(text));
      engine.tokenize(telling(TOKENS));
      assertEquals(
          200,
          balancer.postIn(HttpClient.Version.HTTP_2, "/v1/chat/completions", CHAT).statusCode());
      assertEquals(2, count(balancer, "asked"));
    }
  }

  @Test
  void manyLongQuestionsAtOnceAreNotKept() throws Exception {
    try (FakeEngine engine = new FakeEngine((request, answer) -> {});
        TestBalancer balancer = inFrontOf(IMPATIENT, engine)) {
      // Four of them fit into the bound of 64 MiB, and stay there until they are given up.
      String text = "Why? ".repeat(3_000_000);
      List<CompletableFuture<Integer>> statuses =
          IntStream.range(0, 5)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> completed(balancer, i + text)))
              .toList();
      statuses.forEach(status -> assertEquals(200, status.join()));
      assertEquals(4, count(balancer, "late") + count(balancer, "not_awaited"));
      assertEquals(1, count(balancer, "busy"));
    }
  }

  @Test
  void anotherModelsNameIsNothingToAskTheEngineFor() throws Exception {
    try (FakeEngine engine = new FakeEngine(telling(TOKENS));
        TestBalancer balancer =
            TestBalancer.inFrontOf(
                config -> config.unknownModel(UnknownModel.FIRST),
                addresses ->
                    new ModelConfig(TestBalancer.MODEL, TokenizerKind.ENGINE, BLOCK, addresses),
                engine.url())) {
      post(balancer, CHAT.replace(TestBalancer.MODEL, "other"));
      assertEquals(1, count(balancer, "unsupported"));
      assertEquals(0, engine.waitingTokenizations());
    }
  }

  @Test
  void aStopWaitsForARequestThatWaits() throws Exception {
    AtomicReference<FakeReplica.Answer> held = new AtomicReference<>();
    try (FakeEngine engine = new FakeEngine((request, answer) -> held.set(answer));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      CompletableFuture<HttpResponse<String>> response = balancer.chatLater(false);
      engine.nextTokenization();
      assertFalse(balancer.drain(Duration.ZERO));
      Eventually.until("the question", () -> held.get() != null);
      held.get().json(200, FakeEngine.told(TOKENS));
      assertTrue(balancer.drain(Duration.ofSeconds(10)));
      assertEquals(200, response.get().statusCode());
    }
  }

  @Test
  void aPromptThatTheEngineRefusesSaysNothingOfOthers() throws Exception {
    try (FakeEngine engine = new FakeEngine((request, answer) -> answer.json(400, "{}"));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      for (int i = 0; i < 5; i++) {
        post(balancer, CHAT);
      }
      assertEquals(5, count(balancer, "failed"));
      assertEquals(0, count(balancer, "paused"));
    }
  }

  @Test
  void aReplicaThatCannotBeReachedIsNotAskedInVain() throws Exception {
    URI nobody;
    try (FakeReplica gone = new FakeReplica(answer -> {})) {
      nobody = gone.url();
    }
    try (FakeEngine engine = new FakeEngine(telling(TOKENS));
        TestBalancer balancer = inFrontOf(PATIENT, engine.url(), nobody)) {
      for (int i = 0; i < 6; i++) {
        assertEquals(200, complete(balancer, "\"prompt " + i + "\"").statusCode());
      }
      assertEquals(6, count(balancer, "asked") + count(balancer, "failed"));
      assertTrue(count(balancer, "asked") >= 3, "the other one is asked in turn");
    }
  }

  @Test
  void theClientsKeyGoesAlongWhereItGoesToTheReplicaAnyway() throws Exception {
    try (FakeEngine engine = new FakeEngine(telling(TOKENS));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      balancer.post("/v1/chat/completions", CHAT, "authorization", "Bearer k");
      assertEquals("Bearer k", engine.nextTokenization().headers().get("authorization"));
      complete(balancer, "\"a\"");
      assertNull(engine.nextTokenization().headers().get("authorization"));
    }
  }

  @Test
  void aClientThatLeavesMeanwhileIsAccountedFor() throws Exception {
    AtomicReference<FakeReplica.Answer> held = new AtomicReference<>();
    try (FakeEngine engine = new FakeEngine((request, answer) -> held.set(answer));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      engine.behave(answer -> {});
      CompletableFuture<HttpResponse<String>> leaving = balancer.chatLater(true);
      engine.nextTokenization();
      leaving.cancel(true);
      Eventually.until("the question", () -> held.get() != null);
      held.get().json(200, FakeEngine.told(TOKENS));
      Finished finished = balancer.finished();
      assertEquals(Outcome.CLIENT_ABORT, finished.outcome());
      assertTrue(balancer.idle());
    }
  }

  @Test
  void anEngineThatCountsOtherwiseRaisesTheAlarm() throws Exception {
    // The answers say that their prompts had 23 tokens.
    try (LogLines log = new LogLines();
        FakeEngine engine = new FakeEngine(telling(TOKENS));
        TestBalancer balancer = inFrontOf(PATIENT, engine)) {
      for (int i = 0; i < 20; i++) {
        post(balancer, CHAT);
      }
      Eventually.until(
          "the alarm", () -> metric(balancer, "warmpath_balancer_tokenizer_alarm") == 1);
      assertTrue(log.text().contains("THE ENGINE TOKENIZES PROMPTS IN ANOTHER WAY"));
    }
  }

  private static BiConsumer<FakeReplica.Request, FakeReplica.Answer> telling(int... tokens) {
    return (request, answer) -> answer.json(200, FakeEngine.told(tokens));
  }

  private static TestBalancer inFrontOf(Duration timeout, FakeEngine engine) {
    return inFrontOf(timeout, engine.url());
  }

  private static TestBalancer inFrontOf(Duration timeout, URI... engines) {
    return TestBalancer.inFrontOf(
        config -> config.events(new EventSettings(1000, Duration.ofSeconds(1), 1)),
        addresses ->
            new ModelConfig(
                TestBalancer.MODEL,
                TokenizerKind.ENGINE,
                BLOCK,
                addresses,
                null,
                new TokenizeSettings(timeout)),
        engines);
  }

  private static HttpResponse<String> post(TestBalancer balancer, String body)
      throws IOException, InterruptedException {
    return balancer.post("/v1/chat/completions", body);
  }

  private static int completed(TestBalancer balancer, String text) {
    try {
      return complete(balancer, "\"" + text + "\"").statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  private static HttpResponse<String> complete(TestBalancer balancer, String prompt)
      throws IOException, InterruptedException {
    return balancer.post(
        "/v1/completions", "{\"model\":\"" + TestBalancer.MODEL + "\",\"prompt\":" + prompt + "}");
  }

  private static void awaitKnown(TestBalancer balancer) {
    Eventually.until(
        "an answer that is remembered",
        () -> {
          try {
            post(balancer, CHAT);
            return count(balancer, "known") > 0;
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private static Routed last(TestBalancer balancer) {
    List<Routed> routed = balancer.events(Routed.class);
    return routed.get(routed.size() - 1);
  }

  private static List<Long> hashes(Routed routed) {
    return IntStream.range(0, routed.prefix().hashesB64().size())
        .mapToObj(i -> routed.prefix().hashesB64().get(i))
        .toList();
  }

  private static List<Long> hashes(String salt, int... tokens) {
    long[] hashes =
        new PrefixHasher(BLOCK).hash(PrefixHasher.root(salt, ""), tokens, 0, tokens.length);
    return IntStream.range(0, hashes.length).mapToObj(i -> hashes[i]).toList();
  }

  private static String state(TestBalancer balancer) throws IOException, InterruptedException {
    String replicas = balancer.admin("/admin/replicas").body();
    String state = replicas.substring(replicas.indexOf("\"state\":\"") + 9);
    return state.substring(0, state.indexOf('"'));
  }

  private static long count(TestBalancer balancer, String source) {
    return metric(
        balancer,
        "warmpath_balancer_tokenizations_total{model=\"warmpath-demo\",source=\"" + source + "\"}");
  }

  private static long metric(TestBalancer balancer, String start) {
    try {
      String line = balancer.metric(start);
      return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
