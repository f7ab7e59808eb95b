package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.decision.DecisionLog;
import io.warmpath.balancer.decision.DecisionLogSettings;
import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.events.InMemoryEventSink;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.LogLines;
import io.warmpath.balancer.fixture.RawClient;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.metrics.RequestMetrics;
import io.warmpath.balancer.prompt.PromptEncoder;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.security.ApiKeys;
import io.warmpath.balancer.tokenize.TokenizerWatch;
import io.warmpath.balancer.trace.Tracing;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import io.warmpath.balancer.weights.WeightsState;
import io.warmpath.routing.index.IndexBounds;
import io.warmpath.routing.index.PrefixIndex;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose reading fails; short ones are read on the event loop, long ones elsewhere. */
class ReceptionTest {

  private static final String SECRET = "a prompt";

  /** Thrown by the second look at the clock: when the prompt was read. */
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final FakeReplica replica =
      new FakeReplica(answer -> answer.json(200, Chunks.JSON_ANSWER));
  private final ProxyServer proxy = start();

  @AfterEach
  void stop() {
    proxy.close();
    replica.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000})
  void tooLittleMemoryIsAnsweredAndPassedOn(int length) throws IOException {
    String answer = failWith(new OutOfMemoryError(SECRET), length);
    assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
    assertTrue(answer.contains("retry-after: 1\r\n"), answer);
    assertTrue(answer.contains("\"no_memory\""), answer);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000})
  void anErrorOfTheJvmIsAnsweredAndPassedOn(int length) throws IOException {
    String answer = failWith(new NoClassDefFoundError(SECRET), length);
    assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000})
  void aStackThatIsUsedUpIsTheRequestsFault(int length) throws IOException {
    String answer = failWith(new StackOverflowError(SECRET), length);
    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
    assertTrue(answer.contains("\"invalid_body\""), answer);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100_000})
  void aFaultOfTheBalancerIsNotTheClients(int length) throws IOException {
    String answer = failWith(new IllegalStateException(SECRET), length);
    assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
    assertTrue(answer.contains("\"internal_error\""), answer);
  }

  private String failWith(Throwable thrown, int length) throws IOException {
    String body = TestBalancer.chatBody(false, "x".repeat(length));
    String head = "POST /v1/chat/completions HTTP/1.1\r\nconnection: close\r\ncontent-length: ";
    String request = head + body.length() + "\r\n\r\n" + body;
    failure.set(thrown);
    String answer;
    try (LogLines log = new LogLines(Level.ERROR);
        RawClient client = new RawClient(proxy.port())) {
      client.send(request);
      answer = client.readToEnd();
      assertFalse(answer.contains(SECRET), answer);
      assertFalse(log.text().contains(SECRET), log.text());
    }
    failure.set(null);
    try (RawClient client = new RawClient(proxy.port())) {
      client.send(request);
      assertTrue(client.readToEnd().startsWith("HTTP/1.1 200 "));
    }
    assertEquals(1, replica.waitingRequests());
    return answer;
  }

  private ProxyServer start() {
    TimeSource time = new FailingClock();
    ReplicaHealth health = new ReplicaHealth(HealthSettings.DEFAULTS, System::nanoTime);
    ModelRouter router =
        new ModelRouter(
            TestBalancer.MODEL,
            List.of(new Replica("replica-0", replica.url(), health)),
            new PrefixIndex(IndexBounds.DEFAULTS),
            new WeightsState(TestBalancer.MODEL),
            List.of(new Arm("round_robin", 1)),
            System::currentTimeMillis,
            System::nanoTime);
    ServedModel model =
        new ServedModel(
            router,
            new PromptEncoder(TokenizerKind.QUAD, 16),
            null,
            new TokenizerWatch(TestBalancer.MODEL, System::nanoTime),
            new RetryBudget(RetryBudget.Settings.DEFAULTS, System::nanoTime));
    ProxyRules rules =
        new ProxyRules(
            Limits.DEFAULTS,
            Timeouts.DEFAULTS,
            ReceiveTimeouts.DEFAULTS,
            2,
            UnknownModel.REFUSE,
            ApiKeys.OPEN,
            null);
    ProxySettings settings =
        new ProxySettings(
            "b",
            "127.0.0.1",
            0,
            List.of(model),
            rules,
            ConnectionSettings.DEFAULTS,
            1,
            0,
            new DecisionLog(DecisionLogSettings.DEFAULTS),
            Tracing.OFF);
    return ProxyServer.start(settings, loops, new InMemoryEventSink(9), new RequestMetrics(), time);
  }

  private final class FailingClock implements TimeSource {

    private int looks;

    @Override
    public synchronized long nanos() {
      looks++;
      if (failure.get() == null) {
        looks = 0;
      } else if (looks == 2) {
        FailingClock.<RuntimeException>raise(failure.get());
      }
      return System.nanoTime();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void raise(Throwable thrown) throws T {
      throw (T) thrown;
    }

    @Override
    public long epochMillis() {
      return System.currentTimeMillis();
    }
  }
}
