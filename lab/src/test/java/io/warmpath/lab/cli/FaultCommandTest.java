package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.warmpath.replica.ReplicaConfig;
import io.warmpath.replica.ReplicaServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica, and of a balancer only the page that says where replicas are. */
class FaultCommandTest {

  private ReplicaServer replica;
  private HttpServer balancer;

  @BeforeEach
  void start() throws IOException {
    replica = ReplicaServer.start(ReplicaConfig.builder().port(0).build());
    String page =
        "{\"replicas\":[{\"name\":\"replica-0\",\"url\":\"http://127.0.0.1:%d\"}]}"
            .formatted(replica.port());
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    balancer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    balancer.createContext(
        "/admin/replicas",
        exchange -> {
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    balancer.start();
  }

  @AfterEach
  void stop() {
    balancer.stop(0);
    replica.close();
  }

  private CommandRun fault(String... arguments) {
    List<String> all = new ArrayList<>(List.of("fault", "--admin"));
    all.add("http://127.0.0.1:" + balancer.getAddress().getPort());
    all.addAll(List.of(arguments));
    return CommandRun.of(all);
  }

  @Test
  void faultsAreSetAndShown() {
    CommandRun set = fault("replica-0", "crash_requests=3", "reject_share=0.25");
    assertEquals(0, set.exitCode(), set.output());
    CommandRun shown = fault("replica-0");
    assertEquals(0, shown.exitCode(), shown.output());
    assertTrue(shown.output().lines().anyMatch(line -> line.matches("crash_requests +3")));
    assertTrue(shown.output().lines().anyMatch(line -> line.matches("reject_share +0.25")));
  }

  @Test
  void whatTheReplicaRefusesIsSaid() {
    CommandRun run = fault("replica-0", "explode=true");
    assertEquals(1, run.exitCode());
    assertTrue(run.output().contains("explode is no fault"), run.output());
  }

  @Test
  void wrongValuesAndNamesAreSaid() {
    assertTrue(fault("replica-0", "speed=fast").output().contains("speed=fast: the value must"));
    assertTrue(fault("replica-9", "speed=1").output().contains("no replica 'replica-9'"));
  }
}
