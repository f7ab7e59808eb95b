package io.warmpath.balancer.upstream;

import io.netty.channel.EventLoop;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * All connections of one event loop. A request stays on its client's loop, so nothing here is
 * locked; everything must be called on that loop.
 */
public final class LoopConnections {

  private static final long SWEEP_MILLIS = 1000;

  private final Map<Replica, ReplicaConnections> byReplica = new IdentityHashMap<>();

  public LoopConnections(EventLoop loop, List<Replica> replicas, ConnectionSettings settings) {
    for (Replica replica : replicas) {
      byReplica.put(replica, new ReplicaConnections(loop, replica, settings));
    }
    loop.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Gets a connection, an idle one if there is one; the listener may hear of it at once. */
  public void acquire(Replica replica, UpstreamListener listener) {
    byReplica.get(replica).acquire(listener);
  }

  /** Makes a new connection. */
  public void connect(Replica replica, UpstreamListener listener) {
    byReplica.get(replica).connect(listener);
  }

  /** Closes the idle connections, and those in use once they are given back. */
  public void close() {
    byReplica.values().forEach(ReplicaConnections::close);
  }

  private void sweep() {
    byReplica.values().forEach(ReplicaConnections::sweep);
  }
}
