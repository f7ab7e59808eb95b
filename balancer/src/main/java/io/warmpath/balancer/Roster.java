package io.warmpath.balancer;

import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.proxy.ProxyServer;
import io.warmpath.balancer.upstream.HealthChecks;
import io.warmpath.balancer.upstream.Replica;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replicas of one model, brought to all that need to know of them. One caller at a time. */
final class Roster {

  /** Metric of lookups that failed, which {@link #writeTo} adds samples to. */
  static final String LOOKUP_FAILURES = "warmpath_balancer_dns_failures_total";

  private static final Logger LOG = LoggerFactory.getLogger(Roster.class);

  private final ReplicaSource source;
  private final ModelRouter router;
  private final ProxyServer proxy;
  private final HealthChecks checks;
  private final Function<ReplicaAddress, Replica> replicas;

  /**
   * @param replicas makes a replica that was not there before
   */
  Roster(
      ReplicaSource source,
      ModelRouter router,
      ProxyServer proxy,
      HealthChecks checks,
      Function<ReplicaAddress, Replica> replicas) {
    this.source = source;
    this.router = router;
    this.proxy = proxy;
    this.checks = checks;
    this.replicas = replicas;
  }

  String model() {
    return router.model();
  }

  /** Goes by another configuration of the model. */
  void follow(ModelConfig model) {
    source.follow(model);
    serveBy(source.replicas());
  }

  /** Looks whether other replicas have come or gone. */
  void refresh() {
    source.refresh();
    serveBy(source.replicas());
  }

  void writeTo(PrometheusText text) {
    text.sample(LOOKUP_FAILURES, source.failures(), "model", model());
  }

  /**
   * Serves by these replicas from now on. One whose address changed is another one: it begins
   * afresh, and the one before ends in peace.
   */
  private void serveBy(List<ReplicaAddress> addresses) {
    Map<ReplicaAddress, Replica> before = new HashMap<>();
    router
        .replicas()
        .forEach(replica -> before.put(new ReplicaAddress(replica.name(), replica.url()), replica));
    List<Replica> after = new ArrayList<>();
    List<Replica> joining = new ArrayList<>();
    for (ReplicaAddress address : addresses) {
      Replica stays = before.remove(new ReplicaAddress(address.name(), address.url()));
      Replica replica = stays != null ? stays : replicas.apply(address);
      replica.health().drainByFile(address.drain());
      after.add(replica);
      if (stays == null) {
        joining.add(replica);
      }
    }
    if (joining.isEmpty() && before.isEmpty()) {
      return;
    }
    joining.forEach(proxy::connectTo);
    joining.forEach(checks::join);
    router.serveBy(after);
    before.values().forEach(this::release);
    LOG.info("{}: {} joined, {} left", model(), joining, before.values());
  }

  private void release(Replica replica) {
    checks.stop(replica);
    replica.health().leave();
    proxy.disconnectFrom(replica);
  }
}
