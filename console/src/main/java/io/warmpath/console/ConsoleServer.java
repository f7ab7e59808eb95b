package io.warmpath.console;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.warmpath.console.source.KafkaResultSource;
import io.warmpath.console.source.ResultHandler;
import io.warmpath.console.source.ResultSource;
import io.warmpath.console.state.ConsoleState;
import io.warmpath.console.web.ConsoleRoutes;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.RoutingWeights;
import io.warmpath.schemas.weights.WeightDecision;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running console: the live page at {@code /} and Prometheus' metrics at {@code /metrics}. */
public final class ConsoleServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ConsoleServer.class);
  private static final long START_SECONDS = 30;

  private final Vertx vertx;
  private final ResultSource source;
  private final int port;

  private ConsoleServer(Vertx vertx, ResultSource source, int port) {
    this.vertx = vertx;
    this.source = source;
    this.port = port;
  }

  /**
   * Starts a console that follows the Kafka cluster of its configuration. Brokers need not be there
   * yet.
   *
   * @throws IllegalStateException if it cannot listen
   */
  public static ConsoleServer start(ConsoleConfig config) {
    Clock clock = Clock.systemUTC();
    return start(
        config, new KafkaResultSource(config.kafka(), config.limits().retention(), clock), clock);
  }

  /**
   * Starts a console of another source.
   *
   * @param config how to run; its Kafka properties are not used
   * @param source where results come from; closed with the console
   * @param clock what ages are counted from
   * @throws IllegalStateException if it cannot listen
   */
  public static ConsoleServer start(ConsoleConfig config, ResultSource source, Clock clock) {
    ConsoleState state = new ConsoleState(config.limits());
    Vertx vertx = smallVertx();
    Listener listener = new Listener(config, state, source, clock);
    try {
      vertx.deployVerticle(listener).await(START_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) { // Vert.x throws checked ones without declaring them.
      vertx.close();
      throw new IllegalStateException(
          "the console cannot listen on " + config.host() + ":" + config.port(), e);
    }
    source.start(new StateFeed(state, clock));
    LOG.info("Console on http://{}:{}/", config.host(), listener.port());
    return new ConsoleServer(vertx, source, listener.port());
  }

  /** One event loop serves everything; no files are read or cached. */
  private static Vertx smallVertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setClassPathResolvingEnabled(false)
                    .setFileCachingEnabled(false)));
  }

  /** The port that it listens on. */
  public int port() {
    return port;
  }

  @Override
  public void close() {
    source.close();
    try {
      vertx.close().await(START_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.warn("The console's server did not close in {} s", START_SECONDS, e);
    }
  }

  /** The HTTP server, on an event loop of its own. */
  private static final class Listener extends VerticleBase {

    private final ConsoleConfig config;
    private final ConsoleState state;
    private final ResultSource source;
    private final Clock clock;
    private volatile HttpServer server;

    private Listener(ConsoleConfig config, ConsoleState state, ResultSource source, Clock clock) {
      this.config = config;
      this.state = state;
      this.source = source;
      this.clock = clock;
    }

    @Override
    public Future<?> start() {
      server =
          vertx
              .createHttpServer(httpOptions())
              .requestHandler(
                  ConsoleRoutes.create(vertx, state, source, clock, config.maxStreams()));
      return server.listen(config.port(), config.host());
    }

    /**
     * HTTP/1.1 only: after an upgrade to HTTP/2 in clear text, as Java's own client asks for, long
     * event streams arrive corrupted (Vert.x 5.0.7, JDK 17).
     */
    private static HttpServerOptions httpOptions() {
      return new HttpServerOptions().setHttp2ClearTextEnabled(false);
    }

    private int port() {
      return server.actualPort();
    }
  }

  /** Brings records to the state, with the time at which they came. */
  private record StateFeed(ConsoleState state, Clock clock) implements ResultHandler {

    @Override
    public void onStats(RoutingStats row) {
      state.accept(row, clock.millis());
    }

    @Override
    public void onWeights(RoutingWeights weights) {
      state.accept(weights, clock.millis());
    }

    @Override
    public void onShadow(ShadowStats window) {
      state.accept(window, clock.millis());
    }

    @Override
    public void onDecision(WeightDecision decision) {
      state.accept(decision, clock.millis());
    }

    @Override
    public void onDeadLetter(DeadLetter letter) {
      state.accept(letter);
    }

    @Override
    public void onInvalid(String topic, RuntimeException reason) {
      state.countInvalid();
      LOG.debug("Unreadable record on {}", topic, reason);
    }
  }
}
