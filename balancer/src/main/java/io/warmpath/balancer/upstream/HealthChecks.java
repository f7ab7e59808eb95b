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
 */
public final class HealthChecks {

  private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);
  private static final int SERVER_ERROR = 500;

  private final EventLoop loop;
  private final HealthSettings settings;
  private final Consumer<Replica> onDown;
  private final Map<Replica, Future<?>> checked = new ConcurrentHashMap<>();

  /**
   * @param onDown told of each replica that becomes {@code down}
   */
  public HealthChecks(EventLoop loop, HealthSettings settings, Consumer<Replica> onDown) {
    this.loop = loop;
    this.settings = settings;
    this.onDown = onDown;
  }

  /** Starts checking replicas. */
  public void start(List<Replica> replicas) {
    long interval = settings.interval().toMillis();
    if (interval == 0) {
      return;
    }
    for (Replica replica : replicas) {
      long phase = ThreadLocalRandom.current().nextLong(interval);
      checked.put(
          replica,
          loop.scheduleAtFixedRate(() -> check(replica), phase, interval, TimeUnit.MILLISECONDS));
    }
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
            })
        .connect(replica.address())
        .addListener((ChannelFuture connected) -> check.connected(connected));
  }

  private void failed(Replica replica) {
    if (replica.health().checkFailed()) {
      LOG.warn("{} is down: its health checks fail", replica.name());
      onDown.accept(replica);
    }
  }

  private void passed(Replica replica) {
    if (replica.health().state() == ReplicaHealth.State.DOWN) {
      LOG.info("{} is up again", replica.name());
    }
    replica.health().checkPassed();
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
        decide(false);
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
        decide(response.decoderResult().isSuccess() && response.status().code() < SERVER_ERROR);
        context.close();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      decide(false);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      decide(false);
      context.close();
    }

    private void decide(boolean ok) {
      if (decided) {
        return;
      }
      decided = true;
      if (ok) {
        passed(replica);
      } else {
        failed(replica);
      }
    }
  }
}
