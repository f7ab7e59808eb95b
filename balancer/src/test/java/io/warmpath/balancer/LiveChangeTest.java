package io.warmpath.balancer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.events.InMemoryEventSink;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.upstream.NameLookup;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that changes under a running balancer. */
class LiveChangeTest {

  private static final String BASE =
      """
      listen: {port: 0}
      admin: {port: 0}
      health: {interval: 0ms, ejection: 10m}
      ejection: {failures: 1, max_share: 0.5}
      event_loops: 2
      """;

  @TempDir private Path folder;

  private final FakeReplica first = new FakeReplica(answer -> answer.json(200, "{\"from\":1}"));
  private final FakeReplica second = new FakeReplica(answer -> answer.json(200, "{\"from\":2}"));
  private final InMemoryEventSink events = new InMemoryEventSink(1000);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Path file;
  private BalancerServer balancer;

  @BeforeEach
  void start() throws IOException {
    file = folder.resolve("balancer.yaml");
    write("policy: round_robin", "r1", first);
    LoadedConfig loaded = ConfigFile.read(file);
    balancer = BalancerServer.start(loaded.config(), events);
    balancer.follow(file, loaded);
  }

  @AfterEach
  void stop() {
    balancer.close();
    first.close();
    second.close();
  }

  @Test
  void aStreamOfARemovedReplicaEndsInPeace() throws Exception {
    CompletableFuture<FakeReplica.Answer> streaming = new CompletableFuture<>();
    first.behave(answer -> streaming.complete(answer.stream().send(Chunks.ROLE)));
    try (RawClient stream = RawClient.chat(balancer.port(), true, 0)) {
      stream.readUntil(Chunks.ROLE);
      write("policy: round_robin", "r2", second);
      Eventually.until("the other replica", () -> page("/admin/replicas").contains("\"r2\""));

      assertEquals("{\"from\":2}", chat());
      assertTrue(page("/admin/replicas").contains("\"removed\""), page("/admin/replicas"));
      assertTrue(page("/metrics").contains(inFlight("r1", 1)), page("/metrics"));
      streaming.join().send(Chunks.content("Ray") + Chunks.USAGE + Chunks.DONE).end();
      stream.readUntil(Chunks.content("Ray"));
      stream.readUntil(Chunks.DONE);
      stream.readUntil("0\r\n\r\n");
    }
    Eventually.until("both finished", () -> finished().size() == 2);
    assertTrue(finished().stream().allMatch(event -> event.outcome() == Outcome.OK));
    Eventually.until("it is forgotten", () -> !page("/metrics").contains("replica=\"r1\""));
    Eventually.until("its connection is closed", () -> first.closedConnections() == 1);
    assertTrue(page("/metrics").contains("warmpath_config_reloads_total 1\n"));
  }

  @Test
  void aChangedAddressIsAnotherReplica() throws Exception {
    assertEquals("{\"from\":1}", chat());
    write("policy: round_robin", "r1", second);
    Eventually.until("the other address", () -> page("/admin/replicas").contains(url(second)));
    assertEquals("{\"from\":2}", chat());
    assertEquals(1, first.connections());
    Eventually.until("the old connection is closed", () -> first.closedConnections() == 1);
  }

  @Test
  void aReplicaThatIsLeftOutIsTriedAgainWhenTheOthersAreRemoved() throws Exception {
    first.behave(answer -> answer.json(500, "{}"));
    write("policy: round_robin", replica("r1", first) + "," + replica("r2", second));
    Eventually.until("both replicas", () -> page("/admin/replicas").contains("\"r2\""));
    Eventually.until(
        "the first is left out",
        () -> {
          status();
          return page("/admin/replicas").contains("ejected");
        });
    first.behave(answer -> answer.json(200, "{\"from\":1}"));
    assertEquals("{\"from\":2}", chat());
    assertEquals("{\"from\":2}", chat());
    write("policy: round_robin", "r1", first);
    Eventually.until("the second is gone", () -> !page("/admin/replicas").contains("\"r2\""));
    assertEquals("{\"from\":1}", chat());
    assertFalse(page("/admin/replicas").contains("ejected"), page("/admin/replicas"));
  }

  @Test
  void policiesLimitsAndTimeoutsChange() throws Exception {
    write(
        "arms: [{policy: least_loaded}]\nlimits: {body_bytes: 10}\nunknown_model: first",
        "r1",
        first);
    Eventually.until("the policy", () -> page("/admin/replicas").contains("least_loaded"));
    assertEquals(413, send(TestBalancer.chatBody(false)).statusCode());
  }

  @Test
  void aPolicyOfTheAdminPortOutlivesOtherChanges() throws Exception {
    adminPost("/admin/policy", "{\"policy\":\"session\"}");
    write("policy: round_robin\nretries: 0", "r1", first);
    Eventually.until("the change", () -> page("/metrics").contains("reloads_total 1\n"));
    assertTrue(page("/admin/replicas").contains("\"session\""));
  }

  @Test
  void aBrokenFileChangesNothing() throws Exception {
    Files.writeString(file, "models: [\n");
    Eventually.until("the failure", () -> page("/metrics").contains("reload_failures_total 1\n"));
    assertEquals("{\"from\":1}", chat());
  }

  @Test
  void anAddressToListenOnIsNotChangedButSaid() throws Exception {
    write("policy: round_robin\nname: other", "r1", first);
    Eventually.until(
        "the field is counted",
        () -> page("/metrics").contains("warmpath_config_fields_needing_restart 1\n"));
    assertFalse(page("/metrics").contains("warmpath_config_reload_failures_total 1\n"));
  }

  @Test
  void aReplicaIsDrainedByTheFile() throws Exception {
    String one = replica("r1", first);
    String two = replica("r2", second);
    write("policy: round_robin", one.replace("}", ", drain: true}") + "," + two);
    Eventually.until("it is drained", () -> page("/admin/replicas").contains("draining"));
    for (int i = 0; i < 4; i++) {
      assertEquals("{\"from\":2}", chat());
    }
    adminPost("/admin/replicas/r1/undrain");
    assertTrue(page("/admin/replicas").contains("draining"), "the file wants it");
    write("policy: round_robin", one + "," + two);
    Eventually.until("it is drained no more", () -> !page("/admin/replicas").contains("draining"));
    Eventually.until("it gets requests", () -> chatted().equals("{\"from\":1}"));
  }

  @Test
  void aReplicaThatJoinsIsCheckedFirst() throws Exception {
    String interval = "health: {interval: 50ms}";
    String base = BASE.replaceAll("health: .*", interval);
    String joined = base + "models: [{name: " + TestBalancer.MODEL + ", replicas: [";
    Path other =
        Files.writeString(folder.resolve("other.yaml"), joined + replica("r1", first) + "]}]");
    LoadedConfig loaded = ConfigFile.read(other);
    try (BalancerServer checking = BalancerServer.start(loaded.config(), events)) {
      checking.follow(other, loaded);
      BalancerServer unchecked = balancer;
      balancer = checking;
      String nobody = "{name: r2, url: 'http://127.0.0.1:1'}";
      String there = replica("r1", first) + "," + nobody + "," + replica("r3", second) + "]}]";
      Files.writeString(other, joined + there);
      Eventually.until("r2 joined", () -> page("/admin/replicas").contains("\"r2\""));
      Eventually.until("r3 is up", () -> state("r3").equals("up"));
      assertEquals("down", state("r2"));
      balancer = unchecked;
    }
  }

  @Test
  void anAddressThatServesTwoModelsIsDrainedForBoth() throws Exception {
    NameLookup names = host -> List.of(InetAddress.getLoopbackAddress());
    int port = first.url().getPort();
    String replicas = ", replicas: {dns: vllm.svc, port: " + port + "}}";
    String text = BASE + "models: [{name: a" + replicas + ", {name: b" + replicas + "]\n";
    try (BalancerServer named =
        BalancerServer.start(ConfigFile.read("b.yaml", folder, text).config(), events, names)) {
      BalancerServer listed = balancer;
      balancer = named;
      adminPost("/admin/replicas/127.0.0.1:" + port + "/drain");
      for (String model : List.of("a", "b")) {
        String body = TestBalancer.chatBody(false).replace(TestBalancer.MODEL, model);
        assertEquals(503, send(body).statusCode(), model);
      }
      adminPost("/admin/replicas/127.0.0.1:" + port + "/undrain");
      for (String model : List.of("a", "b")) {
        String body = TestBalancer.chatBody(false).replace(TestBalancer.MODEL, model);
        assertEquals(200, send(body).statusCode(), model);
      }
      balancer = listed;
    }
  }

  @Test
  void replicasComeAndGoWithTheAddressesOfAName() throws Exception {
    AtomicBoolean found = new AtomicBoolean();
    NameLookup names =
        host -> {
          if (!found.get()) {
            throw new UnknownHostException(host);
          }
          return List.of(InetAddress.getLoopbackAddress());
        };
    String text =
        BASE
            + "models: [{name: "
            + TestBalancer.MODEL
            + ", replicas: {dns: vllm.svc, refresh: 1s, port: "
            + first.url().getPort()
            + "}}]\n";
    try (BalancerServer named =
        BalancerServer.start(ConfigFile.read("b.yaml", folder, text).config(), events, names)) {
      BalancerServer listed = balancer;
      balancer = named;
      assertEquals(503, send(TestBalancer.chatBody(false)).statusCode());
      assertTrue(page("/metrics").contains("warmpath_balancer_dns_failures_total{"));
      found.set(true);
      String name = "127.0.0.1:" + first.url().getPort();
      Eventually.until("the replica", () -> page("/admin/replicas").contains(name));
      assertEquals("{\"from\":1}", chat());
      balancer = listed;
    }
  }

  private void write(String fields, String name, FakeReplica at) throws IOException {
    write(fields, replica(name, at));
  }

  private static String replica(String name, FakeReplica at) {
    return "{name: " + name + ", url: '" + at.url() + "'}";
  }

  private void write(String fields, String replicas) throws IOException {
    Path written =
        Files.writeString(
            folder.resolve("new"),
            BASE
                + fields
                + "\nmodels: [{name: "
                + TestBalancer.MODEL
                + ", replicas: ["
                + replicas
                + "]}]\n");
    Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private String chat() throws Exception {
    HttpResponse<String> response = send(TestBalancer.chatBody(false));
    assertEquals(200, response.statusCode(), response.body());
    return response.body();
  }

  private String chatted() {
    try {
      return chat();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void adminPost(String path) throws Exception {
    adminPost(path, "");
  }

  private void adminPost(String path, String body) throws Exception {
    client.send(
        HttpRequest.newBuilder(uri(balancer.adminPort(), path))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.discarding());
  }

  /** State of a replica on the admin page. */
  private String state(String name) {
    return page("/admin/replicas")
        .replaceAll("(?s).*\"name\":\"" + name + "\"[^}]*\"state\":\"([a-z_]+)\".*", "$1");
  }

  private int status() {
    try {
      return send(TestBalancer.chatBody(false)).statusCode();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private HttpResponse<String> send(String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(balancer.port(), "/v1/chat/completions"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String page(String path) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(uri(balancer.adminPort(), path)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private List<Finished> finished() {
    return events.events().stream()
        .filter(Finished.class::isInstance)
        .map(Finished.class::cast)
        .toList();
  }

  private static String inFlight(String replica, int requests) {
    return "warmpath_balancer_in_flight{model=\""
        + TestBalancer.MODEL
        + "\",replica=\""
        + replica
        + "\"} "
        + requests;
  }

  private static String url(FakeReplica replica) {
    return replica.url().toString();
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
