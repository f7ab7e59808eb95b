package io.warmpath.balancer.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.proxy.Limits;
import io.warmpath.balancer.proxy.ReceiveTimeouts;
import io.warmpath.balancer.proxy.Timeouts;
import io.warmpath.balancer.tokenize.TokenizerWatch;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Sends a balancer requests that are more or less wrong, and has its replicas answer likewise. Each
 * case has a seed of its own. Whatever comes in: every connection ends, every request that was
 * routed ends once, nothing is left open, no buffer is lost and no exception gets away.
 */
final class Fuzz {

  private static final int CLIENTS = 32;

  /** Cases after which all must be over. */
  private static final int ROUND = 500;

  /** Few enough that requests which were never counted as over would be missed soon. */
  private static final int OPEN_REQUESTS = 2 * CLIENTS;

  private final AtomicLong answers = new AtomicLong();
  private final FakeReplica first = new FakeReplica(this::fuzzed);
  private final FakeReplica second = new FakeReplica(this::fuzzed);
  private final TestBalancer balancer = TestBalancer.with(Fuzz::impatient, first, second);
  private RequestEvent lastSeen;

  private Fuzz() {}

  /** Runs so many cases. */
  static void run(int cases) throws Exception {
    try (LeakWatch leaks = new LeakWatch()) {
      Fuzz fuzz = new Fuzz();
      ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
      try {
        for (int from = 0; from < cases; from += ROUND) {
          fuzz.round(clients, from, Math.min(cases, from + ROUND));
        }
        fuzz.servesAsBefore();
      } finally {
        clients.shutdownNow();
        fuzz.close();
      }
      // The answers count every prompt alike, whatever it was; that this is noticed is right.
      List<String> complaints =
          leaks.complaints().stream()
              .filter(entry -> !entry.startsWith("ERROR " + TokenizerWatch.class.getName()))
              .toList();
      assertEquals(List.of(), complaints);
    }
  }

  private static BalancerConfig.Builder impatient(BalancerConfig.Builder config) {
    Duration soon = Duration.ofMillis(100);
    return config
        .policy("adaptive")
        .eventLoops(2)
        .receiveTimeouts(new ReceiveTimeouts(soon, soon, Duration.ofMillis(20)))
        .timeouts(new Timeouts(soon, soon, Duration.ofMillis(500)))
        .limits(
            new Limits(
                Limits.DEFAULTS.maxBodyBytes(),
                Limits.DEFAULTS.maxHeaderBytes(),
                Limits.DEFAULTS.maxHeaders(),
                OPEN_REQUESTS,
                Limits.DEFAULTS.maxRequestsPerKey()));
  }

  private void fuzzed(FakeReplica.Answer answer) {
    SomeAnswers.give(answer, new Random(answers.getAndIncrement()));
  }

  private void round(ExecutorService clients, int from, int to) throws Exception {
    List<Future<?>> open = new ArrayList<>();
    for (int seed = from; seed < to; seed++) {
      Random random = new Random(seed);
      open.add(
          clients.submit(
              () -> {
                send(random);
                return null;
              }));
    }
    for (int i = 0; i < open.size(); i++) {
      try {
        open.get(i).get();
      } catch (ExecutionException e) {
        throw new AssertionError("case " + (from + i), e);
      }
    }
    Eventually.until("nothing is open after case " + to, balancer::idle);
    forgetRequests(first);
    forgetRequests(second);
    endedOnce();
  }

  private void send(Random random) throws IOException {
    byte[] request = SomeRequests.next(random);
    boolean leaves = random.nextInt(5) == 0;
    try (RawClient client = new RawClient(balancer.port())) {
      client.send(new String(request, StandardCharsets.ISO_8859_1));
      if (!leaves) {
        client.readToEnd();
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("neither answered nor closed", e);
    } catch (IOException e) {
      // Closed with bytes unread: a reset, which is an end as well.
    }
  }

  private static void forgetRequests(FakeReplica replica) throws InterruptedException {
    while (replica.waitingRequests() > 0) {
      replica.nextRequest();
    }
  }

  /** Of the requests since the last time, each that was routed has ended, once. */
  private void endedOnce() {
    Eventually.until(
        "every request that was routed ended once",
        () -> sinceLast(Fuzz::isFirstRoute) == sinceLast(Fuzz::isEndOfRouted));
    List<RequestEvent> all = balancer.events(RequestEvent.class);
    lastSeen = all.isEmpty() ? null : all.get(all.size() - 1);
  }

  private long sinceLast(Predicate<RequestEvent> counted) {
    List<RequestEvent> all = balancer.events(RequestEvent.class);
    return all.subList(all.lastIndexOf(lastSeen) + 1, all.size()).stream().filter(counted).count();
  }

  private static boolean isFirstRoute(RequestEvent event) {
    return event instanceof Routed && event.context().attempt() == 0;
  }

  private static boolean isEndOfRouted(RequestEvent event) {
    return event instanceof Finished && event.context().replica() != null;
  }

  /** Right requests get right answers. */
  private void servesAsBefore() throws Exception {
    FakeReplica.Behaviour right = answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end();
    first.behave(right);
    second.behave(right);
    Eventually.until("right answers", () -> Chunks.ANSWER.equals(chat()));
    for (int i = 0; i < OPEN_REQUESTS; i++) {
      assertEquals(Chunks.ANSWER, chat());
    }
  }

  private String chat() {
    try {
      return balancer.chat(true).body();
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private void close() {
    balancer.close();
    first.close();
    second.close();
  }
}
