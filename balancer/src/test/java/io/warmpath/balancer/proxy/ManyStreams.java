package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Many streams at once on one balancer: all complete, none mixed up, nothing left open. */
final class ManyStreams {

  private static final int STREAMS = 2_000;

  /** As many connections at once take a while on a small machine. */
  private static final ConnectionSettings PATIENT =
      new ConnectionSettings(Duration.ofSeconds(30), 256, Duration.ofSeconds(4));

  private ManyStreams() {}

  /**
   * Opens them all, sends chunks to each, and ends them.
   *
   * @param pause called before each chunk
   */
  static void run(int chunks, Runnable pause) throws Exception {
    Queue<FakeReplica.Answer> open = new ConcurrentLinkedQueue<>();
    FakeReplica.Behaviour hold = answer -> open.add(answer.stream().send(Chunks.ROLE));
    try (FakeReplica first = new FakeReplica(hold);
        FakeReplica second = new FakeReplica(hold);
        TestBalancer balancer =
            TestBalancer.with(config -> config.eventLoops(2).connections(PATIENT), first, second)) {
      List<CompletableFuture<HttpResponse<String>>> clients = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        clients.add(balancer.chatLater(true));
      }
      Eventually.until("all are open", () -> open.size() == STREAMS);
      assertEquals(STREAMS, inFlight(balancer));
      StringBuilder expected = new StringBuilder(Chunks.ROLE);
      for (int i = 0; i < chunks; i++) {
        pause.run();
        String chunk = Chunks.content("word" + i);
        expected.append(chunk);
        open.forEach(answer -> answer.send(chunk));
      }
      open.forEach(answer -> answer.send(Chunks.USAGE + Chunks.DONE).end());
      expected.append(Chunks.DONE);
      for (CompletableFuture<HttpResponse<String>> client : clients) {
        assertEquals(expected.toString(), client.get().body());
      }
      Eventually.until("nothing is open", balancer::idle);
      Eventually.until("all ended", () -> balancer.events(Finished.class).size() == STREAMS);
      balancer
          .events(Finished.class)
          .forEach(finished -> assertEquals(Outcome.OK, finished.outcome()));
    }
  }

  private static long inFlight(TestBalancer balancer) throws Exception {
    return balancer
        .admin("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("warmpath_balancer_in_flight{"))
        .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
