package io.warmpath.balancer.decision;

import io.warmpath.balancer.upstream.Replica;

/**
 * A replica of a model, with what this balancer asks of it.
 *
 * @param replica the replica
 * @param load its open requests
 * @param recent what it was sent a moment ago
 */
record Member(Replica replica, ReplicaLoad load, RecentRoutes recent) {

  String name() {
    return replica.name();
  }
}
