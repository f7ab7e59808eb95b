package io.warmpath.routing.policy;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Smooth weighted round robin, as in nginx: each available replica earns its weight, the richest
 * (ties by index) gets the request and pays what all have earned. With equal weights it is {@code
 * round_robin}.
 */
final class WeightedRoundRobin implements RoutingPolicy {

  private static final int MAX_REPLICAS = 1 << 16;

  private double[] credit = new double[0];

  @Override
  public String name() {
    return "weighted_round_robin";
  }

  @Override
  public boolean goesByLoad() {
    return false;
  }

  @Override
  public int choose(RoutingView view) {
    int n = view.replicas();
    if (credit.length != n) {
      credit = Arrays.copyOf(credit, n);
    }
    boolean weighted = anyWeight(view);
    double earned = 0;
    int richest = NONE;
    for (int replica = 0; replica < n; replica++) {
      if (!view.available(replica)) {
        continue;
      }
      double weight = weighted ? Admissibility.usable(view.weight(replica)) : 1;
      earned += weight;
      credit[replica] += weight;
      if (richest == NONE || credit[replica] > credit[richest]) {
        richest = replica;
      }
    }
    if (richest != NONE) {
      credit[richest] -= earned;
    }
    return richest;
  }

  private static boolean anyWeight(RoutingView view) {
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (view.available(replica) && Admissibility.usable(view.weight(replica)) > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void writeTo(DataOutput out) throws IOException {
    out.writeInt(credit.length);
    for (double each : credit) {
      out.writeDouble(each);
    }
  }

  @Override
  public void readFrom(DataInput in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_REPLICAS) {
      throw new IOException("credits of " + length + " replicas");
    }
    credit = new double[length];
    for (int i = 0; i < length; i++) {
      credit[i] = in.readDouble();
    }
  }
}
