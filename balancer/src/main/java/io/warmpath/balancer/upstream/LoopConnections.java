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

  private final EventLoop loop;
  private final ConnectionSettings settings;
  private final Map<Replica, ReplicaConnections> byReplica = new IdentityHashMap<>();

  public LoopConnections(EventLoop loop, List<Replica> replicas, ConnectionSettings settings) {
    this.loop = loop;
    this.settings = settings;
    replicas.forEach(this::add);
    loop.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Keeps connections to a replica from now on. */
  public void add(Replica replica) {
    byReplica.put(replica, new ReplicaConnections(loop, replica, settings));
  }

  /** Closes the idle connections to a replica, and those in use once they are given back. */
  public void remove(Replica replica) {
    ReplicaConnections removed = byReplica.remove(replica);
    if (removed != null) {
      removed.close();
    }
  }

  /** Gets a connection, an idle one if there is one; the listener may hear of it at once. */
  public void acquire(Replica replica, UpstreamListener listener) {
    to(replica).acquire(listener);
  }

  /** Makes a new connection. */
  public void connect(Replica replica, UpstreamListener listener) {
    to(replica).connect(listener);
  }

  private ReplicaConnections to(Replica replica) {
    ReplicaConnections known = byReplica.get(replica);
    if (known != null) {
      return known;
    }
    // It was removed, or is not known here yet: its connections are used once.
    ReplicaConnections unkept = new ReplicaConnections(loop, replica, settings);
    unkept.close();
    return unkept;
  }

  /** Closes the idle connections, and those in use once they are given back. */
  public void close() {
    byReplica.values().forEach(ReplicaConnections::close);
  }

  private void sweep() {
    byReplica.values().forEach(ReplicaConnections::sweep);
  }
}
