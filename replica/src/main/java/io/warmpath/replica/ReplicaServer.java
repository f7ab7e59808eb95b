package io.warmpath.replica;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import io.warmpath.replica.api.AdminApi;
import io.warmpath.replica.api.FaultsApi;
import io.warmpath.replica.api.GenerationApi;
import io.warmpath.replica.api.GenerationHost;
import io.warmpath.replica.api.ReplicaRoutes;
import io.warmpath.replica.api.StepOutbox;
import io.warmpath.replica.cuda.CudaEngine;
import io.warmpath.replica.engine.BatchEngine;
import io.warmpath.replica.engine.CacheListener;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.engine.KvCache;
import io.warmpath.replica.events.CacheEventLog;
import io.warmpath.replica.events.CacheEventPublisher;
import io.warmpath.replica.events.CacheEventSink;
import io.warmpath.replica.events.KafkaEventSink;
import io.warmpath.replica.events.TokenCounters;
import io.warmpath.replica.fault.Faults;
import io.warmpath.replica.fault.FaultySink;
import io.warmpath.replica.kvevents.KvEventLog;
import io.warmpath.replica.kvevents.KvEventPublisher;
import io.warmpath.replica.metrics.ReplicaMetrics;
import io.warmpath.replica.realtime.EngineSnapshot;
import io.warmpath.replica.realtime.RealTimeEngine;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running replica: HTTP on one event loop, the engine on a thread of its own, events on a third.
 */
public final class ReplicaServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaServer.class);
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final long WAIT_SECONDS = 10;

  /** Longer than the longest answer that is not streamed, during which nothing is sent. */
  private static final int IDLE_SECONDS = 900;

  private final ReplicaConfig config;
  private final Vertx vertx;

  /** Null where the engine is modelled. */
  private final CudaEngine cuda;

  private final RealTimeEngine engine;
  private final CacheEventPublisher publisher;

  /** Null where nobody wants events as a vLLM's. */
  private final KvEventPublisher kvEvents;

  private final int port;

  private ReplicaServer(ReplicaConfig config, CudaEngine cuda, CacheEventSink sink) {
    this.config = config;
    this.cuda = cuda;
    EngineProfile profile = config.profile();
    long startMs = System.currentTimeMillis();
    vertx = oneEventLoop();
    Context eventLoop = vertx.getOrCreateContext();
    StepOutbox outbox = new StepOutbox(eventLoop);
    CacheEventLog log = new CacheEventLog(profile.blockTokens(), System::currentTimeMillis);
    KvEventLog kvLog =
        config.kvEvents() == null
            ? null
            : new KvEventLog(profile.blockTokens(), System::currentTimeMillis);
    engine =
        new RealTimeEngine(
            config.name() + "-engine",
            new BatchEngine(profile, KvCache.of(profile, listener(log, kvLog)), cuda),
            config.timeScale(),
            outbox::flush);
    ReplicaMetrics metrics = new ReplicaMetrics(config.model(), profile);
    Faults faults = new Faults();
    GenerationHost host =
        new GenerationHost(
            engine, log, metrics, outbox, faults, counters -> restartEvents(counters, log, kvLog));
    GenerationApi generation = new GenerationApi(config, host, System::currentTimeMillis);
    AdminApi admin = new AdminApi(config, engine, metrics, sink::dropped, startMs / 1_000);
    publisher =
        new CacheEventPublisher(
            config.name(),
            config.model(),
            startMs,
            log,
            this::counters,
            System::currentTimeMillis,
            new FaultySink(sink, faults.addStream()));
    Router router =
        ReplicaRoutes.of(vertx, config.maxBodyBytes(), generation, admin, new FaultsApi(host));
    KvEventPublisher opened = null;
    try {
      if (kvLog != null) {
        opened = KvEventPublisher.open(config.name(), config.kvEvents(), kvLog, faults.addStream());
      }
      port = listen(eventLoop, router);
    } catch (RuntimeException e) {
      vertx.close();
      publisher.close();
      if (opened != null) {
        opened.close();
      }
      throw e;
    }
    kvEvents = opened;
    engine.start(
        fault -> {
          LOG.error("{}: the engine stopped", config.name(), fault);
          eventLoop.runOnContext(ignored -> host.failAll());
        });
    publisher.start(this::telemetry, config.telemetryInterval(), config.countersInterval());
    if (kvEvents != null) {
      kvEvents.start();
    }
  }

  private static CacheListener listener(CacheEventLog log, KvEventLog kvLog) {
    return kvLog == null ? log : CacheListener.both(log, kvLog);
  }

  private static void restartEvents(EngineSnapshot engine, CacheEventLog log, KvEventLog kvLog) {
    log.restart(new TokenCounters(engine.queriedTokens(), engine.hitTokens()));
    if (kvLog != null) {
      kvLog.restart();
    }
  }

  /**
   * Starts a replica, which serves when this returns.
   *
   * @throws IllegalStateException if it cannot listen on one of its addresses
   * @throws org.apache.kafka.common.KafkaException if the Kafka properties are wrong; a Kafka that
   *     is down does not matter
   */
  public static ReplicaServer start(ReplicaConfig config) {
    return start(
        config,
        config.kafka() == null
            ? CacheEventSink.NONE
            : KafkaEventSink.connect(config.name(), config.kafka()));
  }

  /**
   * Starts a replica that sends its events to the given sink, and closes it in the end.
   *
   * @throws io.warmpath.replica.cuda.CudaException if its engine needs a GPU and there is none, or
   *     its memory is not enough
   */
  public static ReplicaServer start(ReplicaConfig config, CacheEventSink sink) {
    if (config.cuda() == null) {
      return new ReplicaServer(config, null, sink);
    }
    CudaEngine cuda = openCuda(config, sink);
    try {
      return new ReplicaServer(config, cuda, sink);
    } catch (RuntimeException e) {
      cuda.close();
      throw e;
    }
  }

  private static CudaEngine openCuda(ReplicaConfig config, CacheEventSink sink) {
    try {
      return CudaEngine.open(config.cuda());
    } catch (RuntimeException e) {
      sink.close();
      throw e;
    }
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  /** Where it publishes events as a vLLM does; null if it does not. */
  public String kvEventsEndpoint() {
    return kvEvents == null ? null : kvEvents.endpoint();
  }

  /** Where subscribers ask for those they missed; null if they cannot. */
  public String kvEventsReplayEndpoint() {
    return kvEvents == null ? null : kvEvents.replayEndpoint();
  }

  /** Ends all requests and sends the last events. */
  @Override
  public void close() {
    // The engine first: it must not hand tokens to an event loop that is gone.
    engine.close();
    await(vertx.close(), "close");
    publisher.close();
    if (kvEvents != null) {
      kvEvents.close();
    }
    if (cuda != null) {
      cuda.close();
    }
  }

  private TokenCounters counters() {
    EngineSnapshot now = engine.snapshot();
    return new TokenCounters(now.queriedTokens(), now.hitTokens());
  }

  private ReplicaTelemetry telemetry() {
    EngineSnapshot now = engine.snapshot();
    EngineProfile profile = config.profile();
    return new ReplicaTelemetry(
        System.currentTimeMillis(),
        config.name(),
        config.model(),
        profile.blockTokens(),
        now.running(),
        now.waiting(),
        now.usedBlocks(),
        profile.kvBlocks(),
        cuda == null
            ? gpu(profile.gpu(), ReplicaTelemetry.Source.MODELLED)
            : gpu(cuda.gpu(), ReplicaTelemetry.Source.JCUDA));
  }

  private static ReplicaTelemetry.Gpu gpu(EngineProfile.Gpu gpu, ReplicaTelemetry.Source source) {
    return new ReplicaTelemetry.Gpu(
        gpu.name(), gpu.memoryUsedBytes(), gpu.memoryTotalBytes(), source);
  }

  private int listen(Context eventLoop, Router router) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(config.host())
            .setPort(config.port())
            // Long streams arrive damaged at clients that upgrade in clear text, Java's own for
            // one.
            .setHttp2ClearTextEnabled(false)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setIdleTimeout(IDLE_SECONDS);
    Future<HttpServer> listening =
        Future.future(
            promise ->
                eventLoop.runOnContext(
                    ignored ->
                        vertx
                            .createHttpServer(options)
                            .requestHandler(router)
                            .listen()
                            .onComplete(promise)));
    return await(listening, "listen on " + config.host() + ":" + config.port()).actualPort();
  }

  private <T> T await(Future<T> future, String what) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          config.name() + " cannot " + what + ": " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(config.name() + " cannot " + what + " in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(config.name() + " was interrupted: " + what, e);
    }
  }

  /** A replica of its own in every way, also where several share a process. */
  private static Vertx oneEventLoop() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
  }
}
