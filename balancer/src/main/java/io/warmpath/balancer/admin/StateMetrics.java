package io.warmpath.balancer.admin;

import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.events.EventSink;
import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.upstream.ConnectionCounts;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import io.warmpath.balancer.weights.WeightsState;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/** The balancer's state as metrics: read when asked for, not counted. */
final class StateMetrics {

  private final List<ModelRouter> routers;
  private final EventSink events;
  private final LongSupplier epochMillis;

  StateMetrics(List<ModelRouter> routers, EventSink events, LongSupplier epochMillis) {
    this.routers = routers;
    this.events = events;
    this.epochMillis = epochMillis;
  }

  void writeTo(PrometheusText text) {
    byReplica(
        text,
        "warmpath_balancer_in_flight",
        "Open requests.",
        (router, replica) -> (double) router.inFlight(replica));
    byReplica(
        text,
        "warmpath_balancer_weight",
        "Weight in force, mean 1.",
        (router, replica) -> router.weight(replica));
    byReplica(
        text,
        "warmpath_balancer_ejected",
        "1 while a replica gets no requests.",
        (router, replica) ->
            router.serves(replica) && replica.health().takesRequests() ? 0.0 : 1.0);
    writeStates(text);
    byReplica(
        text,
        "warmpath_balancer_index_blocks",
        "Blocks that the index holds of a replica.",
        (router, replica) -> (double) router.index().storedBlocks(replica.name()));
    writeConnections(text);
    writeWeights(text);
    writeEvents(text);
  }

  private void byReplica(
      PrometheusText text,
      String name,
      String help,
      BiFunction<ModelRouter, Replica, Double> value) {
    text.metric(name, "gauge", help, "model", "replica");
    for (ModelRouter router : routers) {
      for (Replica replica : router.knownReplicas()) {
        text.sample(
            name, value.apply(router, replica), "model", router.model(), "replica", replica.name());
      }
    }
  }

  private void writeStates(PrometheusText text) {
    String name = "warmpath_balancer_replica_state";
    text.metric(
        name,
        "gauge",
        "1 for the state that a replica is in, 0 for the others.",
        "model",
        "replica",
        "state");
    for (ModelRouter router : routers) {
      for (Replica replica : router.replicas()) {
        ReplicaHealth.State now = replica.health().state();
        for (ReplicaHealth.State state : ReplicaHealth.State.values()) {
          text.sample(
              name,
              state == now ? 1 : 0,
              "model",
              router.model(),
              "replica",
              replica.name(),
              "state",
              state.label());
        }
      }
    }
  }

  private void writeConnections(PrometheusText text) {
    String open = "warmpath_balancer_upstream_connections";
    text.metric(open, "gauge", "Open connections to a replica.", "model", "replica", "state");
    eachConnected(
        (labels, counts) -> {
          text.sample(open, counts.busy(), labels.with("state", "busy"));
          text.sample(open, counts.idle(), labels.with("state", "idle"));
        });
    String made = "warmpath_balancer_upstream_connects_total";
    text.metric(
        made, "counter", "Connections to a replica that were tried.", "model", "replica", "result");
    eachConnected(
        (labels, counts) -> {
          text.sample(made, counts.total(), labels.with("result", "made"));
          text.sample(made, counts.failures(), labels.with("result", "failed"));
        });
  }

  private record OfReplica(String model, String replica) {
    String[] with(String label, String value) {
      return new String[] {"model", model, "replica", replica, label, value};
    }
  }

  private void eachConnected(BiConsumer<OfReplica, ConnectionCounts> writer) {
    for (ModelRouter router : routers) {
      for (Replica replica : router.knownReplicas()) {
        writer.accept(new OfReplica(router.model(), replica.name()), replica.connections());
      }
    }
  }

  private void writeWeights(PrometheusText text) {
    String epoch = "warmpath_weights_epoch";
    text.metric(epoch, "gauge", "Highest epoch of routing weights read, 0 for none.", "model");
    for (ModelRouter router : routers) {
      text.sample(epoch, router.weights().epoch(), "model", router.model());
    }
    String lease = "warmpath_weights_lease_remaining_seconds";
    text.metric(lease, "gauge", "Time left of the weights' lease; below 0 all are alike.", "model");
    for (ModelRouter router : routers) {
      WeightsState weights = router.weights();
      weights
          .leaseRemainingMs(epochMillis.getAsLong())
          .ifPresent(ms -> text.sample(lease, ms / 1e3, "model", router.model()));
    }
    String age = "warmpath_weights_age_seconds";
    text.metric(
        age, "gauge", "Time since the end of the window that decided the weights.", "model");
    for (ModelRouter router : routers) {
      long decidedMs = router.weights().epoch();
      if (decidedMs > 0) {
        text.sample(age, (epochMillis.getAsLong() - decidedMs) / 1e3, "model", router.model());
      }
    }
  }

  private void writeEvents(PrometheusText text) {
    String all = "warmpath_balancer_events_total";
    text.metric(all, "counter", "Request events, those dropped included.");
    text.sample(all, events.emitted());
    String dropped = "warmpath_balancer_events_dropped_total";
    text.metric(dropped, "counter", "Request events that were lost.");
    text.sample(dropped, events.dropped());
    String buffered = "warmpath_balancer_events_buffered";
    text.metric(buffered, "gauge", "Request events that Kafka has not confirmed yet.");
    text.sample(buffered, events.buffered());
  }
}
