package io.warmpath.balancer;

import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.proxy.ProxyServer;
import io.warmpath.balancer.upstream.HealthChecks;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replicas of one model, brought to all that need to know of them. One caller at a time. */
final class Roster {

  private static final Logger LOG = LoggerFactory.getLogger(Roster.class);

  private final ModelRouter router;
  private final ProxyServer proxy;
  private final HealthChecks checks;
  private final HealthSettings health;
  private final LongSupplier nanoTime;

  Roster(
      ModelRouter router,
      ProxyServer proxy,
      HealthChecks checks,
      HealthSettings health,
      LongSupplier nanoTime) {
    this.router = router;
    this.proxy = proxy;
    this.checks = checks;
    this.health = health;
    this.nanoTime = nanoTime;
  }

  String model() {
    return router.model();
  }

  static Replica replica(ReplicaAddress address, HealthSettings health, LongSupplier nanoTime) {
    return new Replica(address.name(), address.url(), new ReplicaHealth(health, nanoTime));
  }

  /**
   * Serves by these replicas from now on. One whose address changed is another one: it begins
   * afresh, and the one before ends in peace.
   */
  void serveBy(List<ReplicaAddress> addresses) {
    Map<ReplicaAddress, Replica> before = new HashMap<>();
    router
        .replicas()
        .forEach(replica -> before.put(new ReplicaAddress(replica.name(), replica.url()), replica));
    List<Replica> after = new ArrayList<>();
    List<Replica> joining = new ArrayList<>();
    for (ReplicaAddress address : addresses) {
      Replica stays = before.remove(address);
      Replica replica = stays != null ? stays : replica(address, health, nanoTime);
      after.add(replica);
      if (stays == null) {
        joining.add(replica);
      }
    }
    if (joining.isEmpty() && before.isEmpty()) {
      return;
    }
    joining.forEach(proxy::connectTo);
    router.serveBy(after);
    checks.start(joining);
    before.values().forEach(this::release);
    LOG.info("{}: {} joined, {} left", model(), joining, before.values());
  }

  private void release(Replica replica) {
    checks.stop(replica);
    proxy.disconnectFrom(replica);
  }
}
