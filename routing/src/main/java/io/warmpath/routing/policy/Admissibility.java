package io.warmpath.routing.policy;

/**
 * The load bound of {@code adaptive}, which loss accounting evaluates for every policy: a replica
 * is admissible while {@code in_flight < ceil(c · (total + 1) · w / Σw)}, with total and Σw over
 * the available replicas. Where no replica is within the bound, all available ones are admissible.
 */
public final class Admissibility {

  /**
   * Default of the load factor {@code c}: wide enough for conversations to stay where their prefix
   * is, see docs/policies.md.
   */
  public static final double LOAD_FACTOR = 3;

  private final double loadFactor;

  /** The bound with the default load factor. */
  public Admissibility() {
    this(LOAD_FACTOR);
  }

  /**
   * @param loadFactor how far a replica's load may exceed its share, greater than 1
   */
  public Admissibility(double loadFactor) {
    if (!(loadFactor > 1) || Double.isInfinite(loadFactor)) {
      throw new IllegalArgumentException("load factor must be greater than 1: " + loadFactor);
    }
    this.loadFactor = loadFactor;
  }

  /** The admissible replicas of one decision; valid as long as the view holds still. */
  public Set evaluate(RoutingView view) {
    long total = 0;
    double weights = 0;
    int available = 0;
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (view.available(replica)) {
        available++;
        total += view.inFlight(replica);
        weights += usable(view.weight(replica));
      }
    }
    Set bounded = new Set(view, loadFactor * (total + 1), weights, available);
    for (int replica = 0; replica < view.replicas(); replica++) {
      if (bounded.contains(replica)) {
        return bounded;
      }
    }
    return new Set(view, Double.POSITIVE_INFINITY, 0, available);
  }

  /** A published weight, 0 in place of one that is no weight. */
  static double usable(double weight) {
    return weight > 0 && weight <= Double.MAX_VALUE ? weight : 0;
  }

  /** Which replicas may take one more request. Empty only if none is available. */
  public static final class Set {

    private final RoutingView view;
    private final double slots;
    private final double weights;
    private final int available;

    private Set(RoutingView view, double slots, double weights, int available) {
      this.view = view;
      this.slots = slots;
      this.weights = weights;
      this.available = available;
    }

    /** Whether the replica is available and within its load bound. */
    public boolean contains(int replica) {
      return view.available(replica) && view.inFlight(replica) < Math.ceil(slots * share(replica));
    }

    private double share(int replica) {
      return weights > 0 ? usable(view.weight(replica)) / weights : 1.0 / available;
    }
  }
}
