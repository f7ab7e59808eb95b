package io.warmpath.balancer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.events.InMemoryEventSink;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.schemas.request.AttemptFailed;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica's name that takes long to look up holds up who needs it, and nobody else. */
class SlowNamesTest {

  /** One event loop: whatever blocked it would block all. */
  private static final String ONE_LOOP =
      "listen: {port: 0}\nadmin: {port: 0}\nevent_loops: 1\npolicy: round_robin\n";

  private static final String UNCHECKED = "health: {interval: 0ms}\n";

  @TempDir private Path folder;

  private final FakeReplica named = new FakeReplica(answer -> answer.json(200, "named"));
  private final FakeReplica other = new FakeReplica(answer -> answer.json(200, "other"));
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch told = new CountDownLatch(1);
  private final AtomicInteger lookups = new AtomicInteger();
  private final InMemoryEventSink events = new InMemoryEventSink(100);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private BalancerServer balancer;

  @AfterEach
  void stop() {
    told.countDown();
    balancer.close();
    named.close();
    other.close();
  }

  @Test
  void othersAreServedMeanwhile() throws Exception {
    start(UNCHECKED + "connections: {connect_timeout: 30s}\n");
    CompletableFuture<String> waits = awaited(chat());
    assertEquals("other", chat().get(30, TimeUnit.SECONDS));
    CompletableFuture<String> waitsToo = chat();
    Eventually.until("both wait", () -> page().contains("\"in_flight\":2"));
    assertEquals("other", chat().get(30, TimeUnit.SECONDS));
    assertFalse(waits.isDone() || waitsToo.isDone());
    told.countDown();
    assertEquals("named", waits.get(30, TimeUnit.SECONDS));
    assertEquals("named", waitsToo.get(30, TimeUnit.SECONDS));
    assertEquals(1, lookups.get(), "one look-up for both");
  }

  @Test
  void aRequestGoesElsewhereAfterTheTimeToConnect() throws Exception {
    start(UNCHECKED + "connections: {connect_timeout: 50ms}\n");
    assertEquals("other", awaited(chat()).get(30, TimeUnit.SECONDS));
    List<String> reasons =
        events.events().stream()
            .filter(AttemptFailed.class::isInstance)
            .map(event -> ((AttemptFailed) event).reason())
            .toList();
    assertEquals(List.of("connect_failed"), reasons);
  }

  @Test
  void otherReplicasAreCheckedMeanwhile() throws Exception {
    start("health: {interval: 20ms, timeout: 30s}\nconnections: {connect_timeout: 30s}\n");
    assertTrue(asked.await(30, TimeUnit.SECONDS));
    other.close();
    Eventually.until("it is found to be down", () -> page().contains("\"state\":\"down\""));
  }

  /** What a request comes to, once the name is being looked up for one. */
  private CompletableFuture<String> awaited(CompletableFuture<String> request) throws Exception {
    assertTrue(asked.await(30, TimeUnit.SECONDS));
    return request;
  }

  private void start(String settings) throws Exception {
    String text =
        ONE_LOOP
            + settings
            + "models: [{name: %s, replicas: [{name: r1, url: 'http://slow.test:%d'},"
                .formatted(TestBalancer.MODEL, named.url().getPort())
            + " {name: r2, url: '%s'}]}]\n".formatted(other.url());
    balancer =
        BalancerServer.start(
            ConfigFile.read("b.yaml", folder, text).config(), events, this::addresses);
  }

  private List<InetAddress> addresses(String host) {
    assertEquals("slow.test", host);
    lookups.incrementAndGet();
    asked.countDown();
    try {
      told.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return List.of(InetAddress.getLoopbackAddress());
  }

  private CompletableFuture<String> chat() {
    HttpRequest request =
        HttpRequest.newBuilder(uri(balancer.port(), "/v1/chat/completions"))
            .POST(HttpRequest.BodyPublishers.ofString(TestBalancer.chatBody(false)))
            .build();
    return client
        .sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .thenApply(HttpResponse::body);
  }

  private String page() {
    HttpRequest request =
        HttpRequest.newBuilder(uri(balancer.adminPort(), "/admin/replicas")).build();
    return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join().body();
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
