package io.warmpath.balancer;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.warmpath.balancer.admin.AdminPages;
import io.warmpath.balancer.admin.AdminServer;
import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.decision.DecisionLog;
import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.events.EventSink;
import io.warmpath.balancer.events.InMemoryEventSink;
import io.warmpath.balancer.events.KafkaEventSink;
import io.warmpath.balancer.follow.CacheEventFollower;
import io.warmpath.balancer.follow.KafkaClients;
import io.warmpath.balancer.follow.WeightsFollower;
import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.metrics.RequestMetrics;
import io.warmpath.balancer.prompt.PromptEncoder;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.proxy.ProxyRules;
import io.warmpath.balancer.proxy.ProxyServer;
import io.warmpath.balancer.proxy.ProxySettings;
import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.ServedModel;
import io.warmpath.balancer.proxy.TimeSource;
import io.warmpath.balancer.tokenize.EngineTokenizer;
import io.warmpath.balancer.tokenize.TokenizerWatch;
import io.warmpath.balancer.trace.Tracing;
import io.warmpath.balancer.upstream.FleetHealth;
import io.warmpath.balancer.upstream.HealthChecks;
import io.warmpath.balancer.upstream.NameLookup;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import io.warmpath.balancer.upstream.ReplicaNames;
import io.warmpath.balancer.upstream.SocketTransport;
import io.warmpath.balancer.upstream.UpstreamTls;
import io.warmpath.balancer.weights.WeightsState;
import io.warmpath.routing.index.IndexBounds;
import io.warmpath.routing.index.PrefixIndex;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running balancer. It reads the weights and what the replicas hold before it serves, but waits
 * for Kafka only within a bound: without Kafka it serves all the same.
 */
public final class BalancerServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BalancerServer.class);

  private static final Duration UPKEEP = Duration.ofSeconds(1);
  private static final long DRAIN_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final EventLoopGroup loops;
  private final UpstreamTls upstreamTls;
  private final ReplicaNames replicaNames;
  private volatile SslContext adminTls;
  private final List<ModelRouter> routers;
  private final List<TokenizerWatch> watches;
  private final List<EngineTokenizer> engines;
  private final EventSink events;
  private final Tracing tracing;
  private final WeightsFollower weightsFollower;
  private final CacheEventFollower cacheFollower;
  private final ProxyServer proxy;
  private final AdminServer admin;
  private final AdminPages pages;
  private final RequestMetrics metrics = new RequestMetrics();
  private final ReloadState reloads = new ReloadState(TimeSource.SYSTEM.epochMillis());
  private final List<Roster> rosters = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService upkeep =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("warmpath-upkeep", true));
  private List<Arm> arms;

  /**
   * Starts a balancer; it serves when this returns.
   *
   * @throws java.io.UncheckedIOException if an address cannot be bound; the message names it
   */
  public static BalancerServer start(BalancerConfig config) {
    EventSink events =
        config.kafka().isEmpty()
            ? new InMemoryEventSink(0)
            : new KafkaEventSink(config.events(), clients(config)::producer);
    return start(config, events);
  }

  /** Starts a balancer that gives its events to a sink, which it closes. */
  public static BalancerServer start(BalancerConfig config, EventSink events) {
    return start(config, events, NameLookup.SYSTEM);
  }

  /** The same with another way to look up names. */
  static BalancerServer start(BalancerConfig config, EventSink events, NameLookup names) {
    return new BalancerServer(config, events, names);
  }

  private BalancerServer(BalancerConfig config, EventSink events, NameLookup names) {
    this.events = events;
    DecisionLog decisions = new DecisionLog(config.decisions());
    tracing = Tracing.of(config.tracing(), config.name());
    this.arms = config.arms();
    TimeSource time = TimeSource.SYSTEM;
    List<ReplicaSource> sources =
        config.models().stream()
            .map(model -> new ReplicaSource(model, names, time::nanos))
            .toList();
    upstreamTls = new UpstreamTls(config.upstreamTls());
    replicaNames = new ReplicaNames(names, config.connections().connectTimeout());
    adminTls = config.adminTls();
    List<Function<ReplicaAddress, Replica>> replicas = new ArrayList<>();
    List<ServedModel> models = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      replicas.add(replicas(config, time));
      List<Replica> first = sources.get(i).replicas().stream().map(replicas.get(i)).toList();
      models.add(served(config.models().get(i), first, config, time));
    }
    routers = models.stream().map(ServedModel::router).toList();
    watches = models.stream().map(ServedModel::watch).toList();
    engines = models.stream().map(ServedModel::engine).filter(Objects::nonNull).toList();
    weightsFollower = config.kafka().isEmpty() ? null : followWeights(config, routers);
    cacheFollower = config.kafka().isEmpty() ? null : followCaches(config, routers, time);
    awaitTopics(config.startTimeout());
    loops =
        new MultiThreadIoEventLoopGroup(
            eventLoops(config),
            new DefaultThreadFactory("warmpath-balancer", true),
            SocketTransport.best().handlers());
    try {
      proxy =
          ProxyServer.start(
              settings(config, models, decisions, tracing), loops, events, metrics, time);
      pages = new AdminPages(routers, metrics, events, time::epochMillis, decisions, this::writeTo);
      admin =
          AdminServer.start(
              config.adminHost(), config.adminPort(), adminAccess(config), loops, pages);
    } catch (RuntimeException e) {
      upkeep.shutdownNow();
      stopFollowing();
      events.close();
      tracing.close();
      replicaNames.close();
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw e;
    }
    for (int i = 0; i < sources.size(); i++) {
      ModelRouter router = routers.get(i);
      HealthChecks checks =
          new HealthChecks(loops.next(), config.health(), replica -> forget(router, replica));
      checks.start(router.replicas());
      rosters.add(new Roster(sources.get(i), router, proxy, checks, replicas.get(i)));
    }
    every(UPKEEP, () -> rosters.forEach(Roster::refresh));
    every(UPKEEP, this::forgetGone);
    LOG.info("{} serves on port {}, admin on {}", config.name(), port(), adminPort());
  }

  private void every(Duration interval, Runnable task) {
    upkeep.scheduleWithFixedDelay(
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            LOG.error("upkeep failed, will go on", e);
          }
        },
        interval.toMillis(),
        interval.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /**
   * Follows the file that the configuration was read from: replicas, policies and whatever else may
   * change while it runs do so within seconds of the file.
   *
   * @param loaded what was read from it for the start
   */
  public void follow(Path file, LoadedConfig loaded) {
    ConfigWatch watch =
        new ConfigWatch(file, loaded, this::apply, reloads, TimeSource.SYSTEM::epochMillis);
    every(UPKEEP, watch::look);
  }

  private void apply(LoadedConfig loaded) {
    BalancerConfig config = loaded.config();
    proxy.follow(rules(config));
    upstreamTls.follow(config.upstreamTls());
    adminTls = config.adminTls();
    if (!config.arms().equals(arms)) {
      // Only then: a policy that was set on the admin port outlives changes of other fields.
      arms = config.arms();
      routers.forEach(router -> router.follow(arms));
    }
    for (Roster roster : rosters) {
      config.models().stream()
          .filter(model -> model.name().equals(roster.model()))
          .forEach(roster::follow);
    }
  }

  private AdminServer.Access adminAccess(BalancerConfig config) {
    return new AdminServer.Access(config.adminToken(), () -> adminTls, proxy::receiveTimeouts);
  }

  private void writeTo(PrometheusText text) {
    reloads.writeTo(text);
    text.metric(
        Roster.LOOKUP_FAILURES, "counter", "Lookups of replicas in DNS that failed.", "model");
    proxy.writeTo(text);
    rosters.forEach(roster -> roster.writeTo(text));
    text.metric(
        EngineTokenizer.TOKENIZATIONS,
        "counter",
        "Prompts, by where their tokens come from.",
        "model",
        "source");
    engines.forEach(engine -> engine.writeTo(text));
    TokenizerWatch.writeTo(text, watches);
  }

  private void forgetGone() {
    for (ModelRouter router : routers) {
      router.forgetGone().forEach(replica -> metrics.forget(router.model(), replica));
    }
  }

  /** A replica that was gone has lost its cache, and nothing says so unless it reports events. */
  private static void forget(ModelRouter router, Replica replica) {
    if (!router.index().isReporting(replica.name())) {
      router.index().forget(replica.name());
    }
  }

  /** Makes the replicas of one model. */
  private Function<ReplicaAddress, Replica> replicas(BalancerConfig config, TimeSource time) {
    FleetHealth fleet = new FleetHealth(config.ejection().maxShare());
    return address -> {
      ReplicaHealth health =
          new ReplicaHealth(config.health(), config.ejection(), fleet, time::nanos);
      health.drainByFile(address.drain());
      return new Replica(address.name(), address.url(), health, upstreamTls, replicaNames);
    };
  }

  private static ServedModel served(
      ModelConfig model, List<Replica> replicas, BalancerConfig config, TimeSource time) {
    ModelRouter router =
        new ModelRouter(
            model.name(),
            replicas,
            new PrefixIndex(IndexBounds.DEFAULTS),
            new WeightsState(model.name()),
            config.arms(),
            time::epochMillis,
            time::nanos);
    PromptEncoder encoder = new PromptEncoder(model.tokenizer(), model.blockTokens());
    EngineTokenizer engine =
        model.tokenizer() != TokenizerKind.ENGINE
            ? null
            : new EngineTokenizer(
                model.name(),
                router::replicas,
                encoder,
                model.blockTokens(),
                model.tokenize().timeout());
    return new ServedModel(
        router,
        encoder,
        engine,
        new TokenizerWatch(model.name(), time::nanos),
        new RetryBudget(config.retryBudget(), time::nanos));
  }

  private static ProxySettings settings(
      BalancerConfig config, List<ServedModel> models, DecisionLog decisions, Tracing tracing) {
    return new ProxySettings(
        config.name(),
        config.host(),
        config.port(),
        models,
        rules(config),
        config.connections(),
        config.timeScale(),
        config.events().sampleRate(),
        decisions,
        tracing);
  }

  private static ProxyRules rules(BalancerConfig config) {
    return new ProxyRules(
        config.limits(),
        config.timeouts(),
        config.receiveTimeouts(),
        config.maxRetries(),
        config.unknownModel(),
        config.apiKeys(),
        config.listenTls());
  }

  private static WeightsFollower followWeights(BalancerConfig config, List<ModelRouter> routers) {
    return new WeightsFollower(
        () -> clients(config).consumer("weights"),
        routers.stream().map(ModelRouter::weights).toList());
  }

  /** Only where prompts are counted as the engines do: other blocks are none of theirs. */
  private static CacheEventFollower followCaches(
      BalancerConfig config, List<ModelRouter> routers, TimeSource time) {
    List<ModelRouter> exact = new ArrayList<>();
    for (int i = 0; i < routers.size(); i++) {
      if (config.models().get(i).tokenizer().exact()) {
        exact.add(routers.get(i));
      }
    }
    return exact.isEmpty()
        ? null
        : new CacheEventFollower(
            () -> clients(config).consumer("cache-events"),
            batch -> exact.forEach(router -> router.apply(batch)),
            config.cacheReplay(),
            time::epochMillis);
  }

  private void awaitTopics(Duration bound) {
    long deadline = System.nanoTime() + bound.toNanos();
    boolean weights = weightsFollower == null || weightsFollower.awaitCaughtUp(bound);
    Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    boolean caches = cacheFollower == null || cacheFollower.awaitCaughtUp(left);
    if (!weights || !caches) {
      LOG.warn("Kafka's topics could not be read within {}; serving without", bound);
    }
  }

  private static KafkaClients clients(BalancerConfig config) {
    return new KafkaClients(config.name(), config.kafka());
  }

  private static int eventLoops(BalancerConfig config) {
    return config.eventLoops() > 0
        ? config.eventLoops()
        : Runtime.getRuntime().availableProcessors();
  }

  /** The port that clients connect to. */
  public int port() {
    return proxy.port();
  }

  /** All metrics as they are now. */
  public PrometheusText metrics() {
    return pages.metrics();
  }

  /** The port of the admin pages. */
  public int adminPort() {
    return admin.port();
  }

  private void stopFollowing() {
    if (weightsFollower != null) {
      weightsFollower.close();
    }
    if (cacheFollower != null) {
      cacheFollower.close();
    }
  }

  /**
   * Takes no more clients and waits for the requests that are open, within a bound.
   *
   * @return false if some are still open
   */
  public boolean drain(Duration bound) {
    proxy.stopListening();
    long deadline = System.nanoTime() + bound.toNanos();
    while (openRequests() > 0) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      LockSupport.parkNanos(DRAIN_STEP_NANOS);
    }
    return true;
  }

  private int openRequests() {
    int open = 0;
    // In this order: a request is routed before it is counted as not waiting any more.
    for (EngineTokenizer engine : engines) {
      open += engine.waiting();
    }
    for (ModelRouter router : routers) {
      open += router.openRequests();
    }
    return open;
  }

  /** Closes all connections and delivers the last events, within the bound of the sink. */
  @Override
  public void close() {
    upkeep.shutdownNow();
    proxy.close();
    admin.close();
    stopFollowing();
    events.close();
    tracing.close();
    replicaNames.close();
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
