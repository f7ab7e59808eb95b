package io.warmpath.balancer.upstream;

import io.netty.channel.ConnectTimeoutException;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Looks up replicas' names for new connections, on threads of its own: the system may take seconds
 * for one, and an event loop that waited for it would serve nobody meanwhile. A name is looked up
 * once at a time for all who wait for it, each of them within the bound. Safe for concurrent use.
 */
public final class ReplicaNames extends AddressResolverGroup<InetSocketAddress> {

  /** By the machine's resolver, within the default bound of connecting. */
  static final ReplicaNames SYSTEM =
      new ReplicaNames(NameLookup.SYSTEM, ConnectionSettings.DEFAULTS.connectTimeout());

  private final NameLookup lookup;
  private final Duration bound;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(new DefaultThreadFactory("warmpath-names", true));
  private final Map<String, CompletableFuture<List<InetAddress>>> underWay =
      new ConcurrentHashMap<>();

  /**
   * @param bound how long a connection waits for its address
   */
  public ReplicaNames(NameLookup lookup, Duration bound) {
    this.lookup = lookup;
    this.bound = bound;
  }

  @Override
  protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
    return new OfLoop(loop).asAddressResolver();
  }

  private CompletableFuture<List<InetAddress>> addresses(String host) {
    return underWay.computeIfAbsent(
        host, name -> CompletableFuture.supplyAsync(() -> lookUp(name), threads));
  }

  private List<InetAddress> lookUp(String host) {
    try {
      return lookup.addresses(host);
    } catch (UnknownHostException e) {
      throw new CompletionException(e);
    } finally {
      underWay.remove(host);
    }
  }

  @Override
  public void close() {
    super.close();
    threads.shutdownNow();
  }

  /** What one event loop is told. */
  private final class OfLoop extends InetNameResolver {

    OfLoop(EventExecutor loop) {
      super(loop);
    }

    @Override
    protected void doResolve(String host, Promise<InetAddress> address) {
      Promise<List<InetAddress>> all = executor().newPromise();
      all.addListener(
          done -> {
            if (done.isSuccess()) {
              address.trySuccess(all.getNow().get(0));
            } else {
              address.tryFailure(done.cause());
            }
          });
      doResolveAll(host, all);
    }

    @Override
    protected void doResolveAll(String host, Promise<List<InetAddress>> addresses) {
      InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
      if (literal != null) {
        addresses.setSuccess(List.of(literal));
        return;
      }
      Future<?> limit =
          executor()
              .schedule(
                  () -> addresses.tryFailure(late(host)), bound.toNanos(), TimeUnit.NANOSECONDS);
      addresses(host)
          .whenComplete(
              (found, failure) -> {
                if (executor().isShutdown()) {
                  // Nobody waits any more.
                  return;
                }
                limit.cancel(false);
                if (failure == null) {
                  addresses.trySuccess(found);
                } else {
                  addresses.tryFailure(failure.getCause());
                }
              });
    }

    private Exception late(String host) {
      return new ConnectTimeoutException(
          "no address of " + host + " within " + bound.toMillis() + " ms");
    }
  }
}
