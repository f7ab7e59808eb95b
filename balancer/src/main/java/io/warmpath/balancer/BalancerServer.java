package io.warmpath.balancer;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.warmpath.balancer.admin.AdminPages;
import io.warmpath.balancer.admin.AdminServer;
import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.events.EventSink;
import io.warmpath.balancer.events.InMemoryEventSink;
import io.warmpath.balancer.events.KafkaEventSink;
import io.warmpath.balancer.follow.CacheEventFollower;
import io.warmpath.balancer.follow.KafkaClients;
import io.warmpath.balancer.follow.WeightsFollower;
import io.warmpath.balancer.metrics.RequestMetrics;
import io.warmpath.balancer.prompt.PromptEncoder;
import io.warmpath.balancer.proxy.ProxyServer;
import io.warmpath.balancer.proxy.ProxySettings;
import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.ServedModel;
import io.warmpath.balancer.proxy.TimeSource;
import io.warmpath.balancer.upstream.FleetHealth;
import io.warmpath.balancer.upstream.HealthChecks;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import io.warmpath.balancer.weights.WeightsState;
import io.warmpath.routing.index.IndexBounds;
import io.warmpath.routing.index.PrefixIndex;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running balancer. It reads the weights and what the replicas hold before it serves, but waits
 * for Kafka only within a bound: without Kafka it serves all the same.
 */
public final class BalancerServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BalancerServer.class);

  private static final long DRAIN_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final EventLoopGroup loops;
  private final List<ModelRouter> routers;
  private final EventSink events;
  private final WeightsFollower weightsFollower;
  private final CacheEventFollower cacheFollower;
  private final ProxyServer proxy;
  private final AdminServer admin;

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
    return new BalancerServer(config, events);
  }

  private BalancerServer(BalancerConfig config, EventSink events) {
    this.events = events;
    TimeSource time = TimeSource.SYSTEM;
    List<ServedModel> models =
        config.models().stream().map(model -> served(model, config, time)).toList();
    routers = models.stream().map(ServedModel::router).toList();
    weightsFollower = config.kafka().isEmpty() ? null : followWeights(config, routers);
    cacheFollower = config.kafka().isEmpty() ? null : followCaches(config, routers, time);
    awaitTopics(config.startTimeout());
    loops =
        new MultiThreadIoEventLoopGroup(
            eventLoops(config),
            new DefaultThreadFactory("warmpath-balancer", true),
            NioIoHandler.newFactory());
    RequestMetrics metrics = new RequestMetrics();
    try {
      proxy = ProxyServer.start(settings(config, models), loops, events, metrics, time);
      AdminPages pages = new AdminPages(routers, metrics, events, time::epochMillis);
      admin = AdminServer.start(config.adminHost(), config.adminPort(), loops, pages);
    } catch (RuntimeException e) {
      stopFollowing();
      events.close();
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw e;
    }
    for (ModelRouter router : routers) {
      new HealthChecks(loops.next(), config.health(), replica -> forget(router, replica))
          .start(router.replicas());
    }
    LOG.info("{} serves on port {}, admin on {}", config.name(), port(), adminPort());
  }

  /** A replica that was gone has lost its cache, and nothing says so unless it reports events. */
  private static void forget(ModelRouter router, Replica replica) {
    if (!router.index().isReporting(replica.name())) {
      router.index().forget(replica.name());
    }
  }

  private static ServedModel served(ModelConfig model, BalancerConfig config, TimeSource time) {
    FleetHealth fleet = new FleetHealth(config.ejection().maxShare());
    List<Replica> replicas =
        model.replicas().stream()
            .map(
                address ->
                    new Replica(
                        address.name(),
                        address.url(),
                        new ReplicaHealth(config.health(), config.ejection(), fleet, time::nanos)))
            .toList();
    ModelRouter router =
        new ModelRouter(
            model.name(),
            replicas,
            new PrefixIndex(IndexBounds.DEFAULTS),
            new WeightsState(model.name(), replicas.stream().map(Replica::name).toList()),
            config.arms(),
            time::epochMillis,
            time::nanos);
    return new ServedModel(
        router,
        new PromptEncoder(model.tokenizer(), model.blockTokens()),
        new RetryBudget(config.retryBudget(), time::nanos));
  }

  private static ProxySettings settings(BalancerConfig config, List<ServedModel> models) {
    return new ProxySettings(
        config.name(),
        config.host(),
        config.port(),
        models,
        config.unknownModel(),
        config.limits(),
        config.timeouts(),
        config.connections(),
        config.timeScale(),
        config.events().sampleRate(),
        config.maxRetries());
  }

  private static WeightsFollower followWeights(BalancerConfig config, List<ModelRouter> routers) {
    return new WeightsFollower(
        () -> clients(config).consumer("weights"),
        routers.stream().map(ModelRouter::weights).toList());
  }

  /** Only where prompts are counted as the engines do: other blocks are none of theirs. */
  private static CacheEventFollower followCaches(
      BalancerConfig config, List<ModelRouter> routers, TimeSource time) {
    Map<String, CacheEventFollower.Taker> byReplica = new HashMap<>();
    for (int i = 0; i < routers.size(); i++) {
      ModelRouter router = routers.get(i);
      if (config.models().get(i).tokenizer().exact()) {
        router.replicas().forEach(replica -> byReplica.put(replica.name(), router::apply));
      }
    }
    return byReplica.isEmpty()
        ? null
        : new CacheEventFollower(
            () -> clients(config).consumer("cache-events"),
            byReplica,
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
    return routers.stream()
        .flatMapToInt(router -> router.replicas().stream().mapToInt(router::inFlight))
        .sum();
  }

  /** Closes all connections and delivers the last events, within the bound of the sink. */
  @Override
  public void close() {
    proxy.close();
    admin.close();
    stopFollowing();
    events.close();
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
