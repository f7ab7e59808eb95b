package io.warmpath.routing.policy;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The first request of a session goes to the least loaded replica, later ones to the same. A
 * session whose home is not available moves for good; one that was silent longest is forgotten when
 * there are too many.
 */
final class SessionAffinity implements RoutingPolicy {

  private static final int NO_SESSION = 0;
  private static final int MAX_SESSIONS = 1 << 18;

  private final Map<Long, Integer> homes =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
          return size() > MAX_SESSIONS;
        }
      };

  @Override
  public String name() {
    return "session";
  }

  @Override
  public int choose(RoutingView view) {
    long session = view.session();
    if (session == NO_SESSION) {
      return Available.leastLoaded(view);
    }
    Integer home = homes.get(session);
    if (home != null && home < view.replicas() && view.available(home)) {
      return home;
    }
    int chosen = Available.leastLoaded(view);
    if (chosen != NONE) {
      homes.put(session, chosen);
    }
    return chosen;
  }

  @Override
  public void writeTo(DataOutput out) throws IOException {
    out.writeInt(homes.size());
    // From the one silent longest, so that reading puts them in the same order.
    for (Map.Entry<Long, Integer> home : homes.entrySet()) {
      out.writeLong(home.getKey());
      out.writeInt(home.getValue());
    }
  }

  @Override
  public void readFrom(DataInput in) throws IOException {
    homes.clear();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      homes.put(in.readLong(), in.readInt());
    }
  }
}
