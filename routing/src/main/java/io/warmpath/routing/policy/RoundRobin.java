package io.warmpath.routing.policy;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Request i goes to replica i mod N, or to the next one that is available. */
final class RoundRobin implements RoutingPolicy {

  private long requests;

  @Override
  public String name() {
    return "round_robin";
  }

  @Override
  public boolean goesByLoad() {
    return false;
  }

  @Override
  public int choose(RoutingView view) {
    int n = view.replicas();
    if (n == 0) {
      return NONE;
    }
    int first = (int) (requests++ % n);
    for (int offset = 0; offset < n; offset++) {
      int replica = (first + offset) % n;
      if (view.available(replica)) {
        return replica;
      }
    }
    return NONE;
  }

  @Override
  public void writeTo(DataOutput out) throws IOException {
    out.writeLong(requests);
  }

  @Override
  public void readFrom(DataInput in) throws IOException {
    requests = in.readLong();
  }
}
