package io.warmpath.balancer.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks every replica for {@code /health} at intervals, each time over a new connection, so that one
 * which accepts none is found out. Any answer below 500 passes: not every engine has the endpoint.
 *
 * <p>How a check fails matters. Where nobody listens the process is gone, and its cache with it; an
 * answer of 500 and above is the replica's own word; one that does not come may only be late.
 */
public final class HealthChecks {

  private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);
  private static final int SERVER_ERROR = 500;

  private final EventLoop loop;
  private final HealthSettings settings;
  private final Consumer<Replica> onGone;
  private final Map<Replica, Future<?>> checked = new ConcurrentHashMap<>();

  /**
   * @param onGone told of each replica that refuses connections, once until it is back
   */
  public HealthChecks(EventLoop loop, HealthSettings settings, Consumer<Replica> onGone) {
    this.loop = loop;
    this.settings = settings;
    this.onGone = onGone;
  }

  /** Starts checking replicas. */
  public void start(List<Replica> replicas) {
    long interval = settings.interval().toMillis();
    if (interval == 0) {
      return;
    }
    replicas.forEach(replica -> start(replica, ThreadLocalRandom.current().nextLong(interval)));
  }

  /** Starts checking a replica that joins others, at once. */
  public void join(Replica replica) {
    boolean checks = !settings.interval().isZero();
    replica.health().joined(checks);
    if (checks) {
      start(replica, 0);
    }
  }

  private void start(Replica replica, long delayMs) {
    checked.put(
        replica,
        loop.scheduleAtFixedRate(
            () -> check(replica), delayMs, settings.interval().toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Checks a replica no more. */
  public void stop(Replica replica) {
    Future<?> checks = checked.remove(replica);
    if (checks != null) {
      checks.cancel(false);
    }
  }

  private void check(Replica replica) {
    Check check = new Check(replica);
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(SocketTransport.of(loop).connecting())
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) settings.timeout().toMillis())
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    replica.secure(channel, (int) settings.timeout().toMillis());
                    channel
                        .pipeline()
                        .addLast(
                            new ReadTimeoutHandler(
                                settings.timeout().toMillis(), TimeUnit.MILLISECONDS))
                        .addLast(new HttpClientCodec())
                        .addLast(check);
                  }
                });
    replica.connect(bootstrap).addListener((ChannelFuture connected) -> check.connected(connected));
  }

  private void decided(Replica replica, Result result) {
    boolean wasDown = isDown(replica);
    boolean gone = false;
    switch (result) {
      case PASSED -> replica.health().checkPassed();
      case FAILED -> replica.health().checkFailed();
      case LATE -> replica.health().checkTimedOut();
      case REFUSED -> gone = replica.health().checkRefused();
    }
    if (isDown(replica) && !wasDown) {
      LOG.warn("{} is down: its health checks are {}", replica.name(), result.said());
    } else if (wasDown && !isDown(replica)) {
      LOG.info("{} is up", replica.name());
    }
    if (gone) {
      onGone.accept(replica);
    }
  }

  private static boolean isDown(Replica replica) {
    return replica.health().state() == ReplicaHealth.State.DOWN;
  }

  /** How a check ended. */
  private enum Result {
    PASSED,
    /** Answered with a status of 500 or above. */
    FAILED,
    /** Not answered, or not in time. */
    LATE,
    /** Nobody listens. */
    REFUSED;

    String said() {
      return this == LATE ? "not answered in time" : name().toLowerCase(Locale.ROOT);
    }
  }

  /** One check; the first answer or failure decides. */
  private final class Check extends SimpleChannelInboundHandler<HttpObject> {

    private final Replica replica;
    private boolean decided;

    Check(Replica replica) {
      this.replica = replica;
    }

    void connected(ChannelFuture connection) {
      if (!connection.isSuccess()) {
        decide(ConnectFailure.isRefusal(connection.cause()) ? Result.REFUSED : Result.LATE);
        return;
      }
      FullHttpRequest request =
          new DefaultFullHttpRequest(
              HttpVersion.HTTP_1_1,
              HttpMethod.GET,
              replica.target("/health"),
              Unpooled.EMPTY_BUFFER);
      request.headers().set(HttpHeaderNames.HOST, replica.authority());
      request.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      connection.channel().writeAndFlush(request);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
      if (message instanceof HttpResponse response) {
        boolean passes =
            response.decoderResult().isSuccess() && response.status().code() < SERVER_ERROR;
        decide(passes ? Result.PASSED : Result.FAILED);
        context.close();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      decide(Result.LATE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      decide(Result.LATE);
      context.close();
    }

    private void decide(Result result) {
      if (!decided) {
        decided = true;
        HealthChecks.this.decided(replica, result);
      }
    }
  }
}
