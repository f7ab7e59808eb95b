package io.warmpath.balancer.proxy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.warmpath.balancer.events.EventSink;
import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.metrics.RequestMetrics;
import io.warmpath.balancer.upstream.LoopConnections;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.SocketTransport;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Listens for clients. Event loops are the caller's. */
public final class ProxyServer implements AutoCloseable {

  private static final int BACKLOG = 1024;
  private static final int WORKERS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  private static final int WAITING_PROMPTS = 256;
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(64 * 1024, 256 * 1024);

  private final Channel server;
  private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final ThreadPoolExecutor workers;
  private final Map<EventLoop, LoopConnections> connections = new IdentityHashMap<>();
  private final LongAdder connectionsRefused = new LongAdder();
  private volatile ProxyContext context;

  /**
   * Starts listening.
   *
   * @throws java.io.UncheckedIOException if the address cannot be bound
   */
  public static ProxyServer start(
      ProxySettings settings,
      EventLoopGroup loops,
      EventSink events,
      RequestMetrics metrics,
      TimeSource time) {
    return new ProxyServer(settings, loops, events, metrics, time);
  }

  private ProxyServer(
      ProxySettings settings,
      EventLoopGroup loops,
      EventSink events,
      RequestMetrics metrics,
      TimeSource time) {
    List<Replica> replicas =
        settings.models().stream().flatMap(m -> m.router().replicas().stream()).toList();
    for (EventExecutor executor : loops) {
      EventLoop loop = (EventLoop) executor;
      connections.put(loop, new LoopConnections(loop, replicas, settings.connections()));
    }
    workers =
        new ThreadPoolExecutor(
            WORKERS,
            WORKERS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_PROMPTS),
            task -> daemon(task, "warmpath-prompts"));
    Recorder recorder =
        new Recorder(
            settings.router(),
            time.epochMillis(),
            settings.timeScale(),
            settings.sampleRate(),
            events,
            metrics,
            settings.decisions(),
            settings.tracing(),
            time);
    ProxyRules rules = settings.rules();
    Models models = new Models(settings.models(), rules.unknownModel());
    context =
        new ProxyContext(
            rules,
            models,
            models.parser(rules.limits().maxBodyBytes()),
            workers,
            connections,
            recorder,
            new RequestIds(new SecureRandom()),
            new Admission(),
            new BodyMemory());
    server = Listening.bind(bootstrap(loops), settings.host(), settings.port());
  }

  private ServerBootstrap bootstrap(EventLoopGroup loops) {
    return new ServerBootstrap()
        .group(loops)
        .channel(SocketTransport.of(loops).listening())
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.SO_REUSEADDR, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel client) {
                clients.add(client);
                if (clients.size() > context.limits().maxConnections()) {
                  connectionsRefused.increment();
                  client.close();
                } else {
                  new ClientProtocol(() -> context).begin(client);
                }
              }
            });
  }

  /** Serves new requests by other rules. */
  public void follow(ProxyRules rules) {
    context = context.with(rules);
  }

  /** Keeps connections to a replica from now on. */
  public void connectTo(Replica replica) {
    connections.forEach((loop, pool) -> loop.execute(() -> pool.add(replica)));
  }

  /** Keeps no more connections to a replica; those in use are closed after that. */
  public void disconnectFrom(Replica replica) {
    connections.forEach((loop, pool) -> loop.execute(() -> pool.remove(replica)));
  }

  /** How long clients may take to send, as it holds now. */
  public ReceiveTimeouts receiveTimeouts() {
    return context.receiveTimeouts();
  }

  /** Writes the metrics of clients' connections and what they hold. */
  public void writeTo(PrometheusText text) {
    String open = "warmpath_balancer_connections";
    text.metric(open, "gauge", "Clients' connections that are open.");
    text.sample(open, clients.size());
    String refused = "warmpath_balancer_connections_refused_total";
    text.metric(refused, "counter", "Clients' connections closed because there were too many.");
    text.sample(refused, connectionsRefused.sum());
    String held = "warmpath_balancer_buffered_body_bytes";
    text.metric(held, "gauge", "Memory that the bodies of open requests take.");
    text.sample(held, context.bodies().held());
  }

  /** The port that it listens on. */
  public int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  /** Takes no more clients. Those that are there are served on; over HTTP/2 they are told. */
  public void stopListening() {
    server.close().syncUninterruptibly();
    clients.forEach(ClientProtocol::goAway);
  }

  /** Closes all connections; requests that are open end as aborted. */
  @Override
  public void close() {
    stopListening();
    clients.close().awaitUninterruptibly();
    connections.forEach((loop, pool) -> loop.submit(pool::close).awaitUninterruptibly());
    workers.shutdownNow();
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
