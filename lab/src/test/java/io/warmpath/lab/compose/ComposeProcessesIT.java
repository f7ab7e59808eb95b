package io.warmpath.lab.compose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.SharedData;
import io.warmpath.lab.client.CompletionClient;
import io.warmpath.lab.demo.ArmFigures;
import io.warmpath.lab.demo.ArmPlayer;
import io.warmpath.lab.demo.Demo;
import io.warmpath.lab.follow.Seen;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.founding.FoundingStudy;
import io.warmpath.lab.founding.FoundingWorkload;
import io.warmpath.lab.stack.StackConfig;
import io.warmpath.lab.stack.StackPorts;
import io.warmpath.lab.stack.WarmpathStack;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.RoutingWeights;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The wiring of docker-compose.yml works: its services as processes, on an empty folder. */
class ComposeProcessesIT {

  private static final Path ROOT = SharedData.projectRoot();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** As {@code warmpath demo}. */
  private static final double DEMO_TIME_SCALE = 5;

  /** Thirteen JVMs share the machine, and what delays a thread counts so many times. */
  private static final double TIME_SCALE = 2;

  /** Each JVM compiles for itself what the demo compiles once. */
  private static final int WARM_UPS = 2;

  /** What starts soonest: nothing here is measured. */
  private static final List<String> SHORT_LIVED =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final long SEED = 1;
  private static final String OTHER_POLICY = "random";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  @Test
  void servesARequestAndLearnsWeightsFromIt() throws Exception {
    try (ComposeProcesses services = ComposeProcesses.start(ROOT, folder, 1, SHORT_LIVED);
        CompletionClient client = new CompletionClient(services.url("balancer", 8080), PATIENCE);
        TopicHistory<RoutingWeights> weights =
            TopicHistory.follow(
                services.bootstrapServers(), Topics.ROUTING_WEIGHTS, Codecs.ROUTING_WEIGHTS)) {
      String body =
          "{\"model\":\"warmpath-demo\",\"stream\":true,\"max_tokens\":4,"
              + "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}";
      assertTrue(
          client
              .send("v1/chat/completions", body.getBytes(StandardCharsets.UTF_8), Map.of())
              .join()
              .ok());
      assertTrue(
          weights
              .await(
                  records -> records.stream().map(Seen::value).filter(this::listsAll).findFirst(),
                  PATIENCE)
              .isPresent(),
          "no weights of all replicas");
    }
  }

  private boolean listsAll(RoutingWeights weights) {
    return weights.model().equals("warmpath-demo")
        && weights.replicas().stream()
            .map(replica -> replica.replica())
            .sorted()
            .toList()
            .equals(List.of("replica-0", "replica-1", "replica-2", "replica-3"));
  }

  @Test
  @Tag("faults")
  void givesTheFoundingExperimentWhatDemoGives() throws Exception {
    FoundingWorkload workload = FoundingWorkload.generate(SEED);
    Map<String, ArmFigures> demo = inOneProcess(workload);
    Map<String, ArmFigures> wired = asWired(workload);
    for (String policy : Demo.POLICIES) {
      ArmFigures.Ttft expected = demo.get(policy).ttft();
      ArmFigures.Ttft measured = wired.get(policy).ttft();
      System.out.printf(
          "%s: p95 %d ms in %d to %d ms of demo, whose own is %d ms; hit rates %.4f and %.4f;"
              + " threads woke up late by %.0f and %.0f ms of model time (p99)%n",
          policy,
          measured.p95Us() / 1000,
          expected.p95LowUs() / 1000,
          expected.p95HighUs() / 1000,
          expected.p95Us() / 1000,
          wired.get(policy).tokenHitRate(),
          demo.get(policy).tokenHitRate(),
          wired.get(policy).wakeUpDelayP99Us() / 1000,
          demo.get(policy).wakeUpDelayP99Us() / 1000);
    }
    for (String policy : Demo.POLICIES) {
      ArmFigures.Ttft expected = demo.get(policy).ttft();
      ArmFigures.Ttft measured = wired.get(policy).ttft();
      assertEquals(FoundingWorkload.REQUESTS, measured.count());
      assertTrue(
          expected.p95LowUs() <= measured.p95Us() && measured.p95Us() <= expected.p95HighUs(),
          policy);
    }
  }

  private static Map<String, ArmFigures> inOneProcess(FoundingWorkload workload) {
    StackConfig config =
        new StackConfig(
            StackPorts.FREE,
            FoundingWorkload.REPLICAS,
            EngineProfile.load(FoundingStudy.PROFILE),
            DEMO_TIME_SCALE,
            OTHER_POLICY,
            1,
            Optional.empty());
    Map<String, ArmFigures> arms = new LinkedHashMap<>();
    try (WarmpathStack stack = WarmpathStack.start(config, part -> {});
        ArmPlayer player = ArmPlayer.follow(stack.bootstrapServers(), DEMO_TIME_SCALE)) {
      player.warmUp(stack.balancer(), SEED + 1);
      for (String policy : Demo.POLICIES) {
        stack.startAfresh(policy);
        arms.put(policy, player.play(policy, workload, stack.balancer(), answered -> {}));
      }
    }
    return arms;
  }

  private Map<String, ArmFigures> asWired(FoundingWorkload workload) throws Exception {
    Map<String, ArmFigures> arms = new LinkedHashMap<>();
    try (ComposeProcesses services = ComposeProcesses.start(ROOT, folder, TIME_SCALE, List.of());
        ArmPlayer player = ArmPlayer.follow(services.bootstrapServers(), TIME_SCALE)) {
      URI balancer = services.url("balancer", 8080);
      for (String policy : Demo.POLICIES) {
        // One that knows nothing yet, but has run for a while.
        services.restartBalancer(Map.of("policy", OTHER_POLICY, "cache_replay", "0ms"));
        for (int i = 0; i < WARM_UPS; i++) {
          player.warmUp(balancer, SEED + 1);
        }
        resetCaches(services);
        setPolicy(services, policy);
        arms.put(policy, player.play(policy, workload, balancer, answered -> {}));
      }
    }
    return arms;
  }

  private static void resetCaches(ComposeProcesses services) throws Exception {
    List<URI> replicas =
        services.services().values().stream()
            .filter(service -> service.command().contains("replica"))
            .map(
                service ->
                    services.url(
                        service.name(),
                        Integer.parseInt(Wiring.option(Wiring.parse(service), "--port"))))
            .toList();
    assertFalse(replicas.isEmpty());
    for (URI replica : replicas) {
      post(
          HttpRequest.newBuilder(replica.resolve("/reset_prefix_cache"))
              .POST(HttpRequest.BodyPublishers.noBody()));
    }
  }

  private static void setPolicy(ComposeProcesses services, String policy) throws Exception {
    String token = Files.readString(ROOT.resolve("deploy/compose/admin.token")).strip();
    post(
        HttpRequest.newBuilder(services.url("balancer", 8081).resolve("/admin/policy"))
            .header("authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString("{\"policy\":\"" + policy + "\"}")));
  }

  private static void post(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response.uri() + ": " + response.body());
  }
}
