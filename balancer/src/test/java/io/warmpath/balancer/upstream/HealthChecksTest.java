package io.warmpath.balancer.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.upstream.ReplicaHealth.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthChecksTest {

  private static final HealthSettings QUICK =
      new HealthSettings(Duration.ofMillis(20), Duration.ofMillis(50), 2, Duration.ofSeconds(1));

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final List<Replica> gone = new CopyOnWriteArrayList<>();
  private final HealthChecks checks = new HealthChecks(loops.next(), QUICK, gone::add);
  private final FleetHealth fleet = new FleetHealth(0.5);

  @AfterEach
  void stop() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Test
  void keepsHalfOfAFleetThatAnswersNoCheckAndWhatItIsKnownToHold() throws IOException {
    List<Silent> sockets = List.of(new Silent(), new Silent(), new Silent(), new Silent());
    List<Replica> replicas = sockets.stream().map(socket -> replica(socket.url())).toList();
    checks.start(replicas);
    Eventually.until(
        "half are down", () -> replicas.stream().filter(HealthChecksTest::isDown).count() == 2);
    List<Integer> until = sockets.stream().map(socket -> socket.checks.get() + 6).toList();
    for (int i = 0; i < 4; i++) {
      Silent socket = sockets.get(i);
      int enough = until.get(i);
      Eventually.until("it is checked on", () -> socket.checks.get() >= enough);
    }
    assertEquals(2, replicas.stream().filter(HealthChecksTest::isDown).count());
    assertEquals(List.of(), gone);
    for (Silent socket : sockets) {
      socket.close();
    }
    Eventually.until("all are gone", () -> gone.size() == 4);
    assertTrue(replicas.stream().allMatch(HealthChecksTest::isDown));
  }

  @Test
  void letsAReplicaThatJoinsServeOnceItsCheckPassed() throws IOException {
    replica(URI.create("http://127.0.0.1:1"));
    try (FakeReplica well = new FakeReplica(answer -> answer.json(200, "{}"))) {
      Replica joins = replica(well.url());
      checks.join(joins);
      Eventually.until("its check passed", () -> joins.health().available());
      assertTrue(joins.health().ramp() < 1);
    }
  }

  @Test
  void letsNoReplicaServeThatJoinsAndAnswersNoCheck() throws IOException {
    replica(URI.create("http://127.0.0.1:1"));
    try (Silent silent = new Silent()) {
      Replica joins = replica(silent.url());
      checks.join(joins);
      assertFalse(joins.health().available());
      Eventually.until("it was checked", () -> silent.checks.get() >= 4);
      assertFalse(joins.health().available());
    }
  }

  private Replica replica(URI url) {
    ReplicaHealth health =
        new ReplicaHealth(QUICK, EjectionSettings.DEFAULTS, fleet, System::nanoTime);
    return new Replica(url.toString(), url, health);
  }

  private static boolean isDown(Replica replica) {
    return replica.health().state() == State.DOWN;
  }

  /** Takes connections and says nothing. */
  private static final class Silent implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger checks = new AtomicInteger();
    private final List<Socket> open = new ArrayList<>();
    private final Thread acceptor = new Thread(this::accept);

    Silent() throws IOException {
      acceptor.start();
    }

    private void accept() {
      try {
        while (true) {
          open.add(server.accept());
          checks.incrementAndGet();
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    URI url() {
      return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    @Override
    public void close() throws IOException {
      server.close();
      try {
        acceptor.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      for (Socket socket : open) {
        socket.close();
      }
    }
  }
}
