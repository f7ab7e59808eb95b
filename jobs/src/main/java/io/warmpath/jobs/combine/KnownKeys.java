package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.routing.measure.Varint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The keys that a partition's events are told apart by: at most so many, as their names come from
 * outside. A further key counts as the policy and replica {@link PaneKey#OTHER} of its model, and
 * where its model is new too, of the model of that name. A key that was not seen for a while leaves
 * its place to another.
 *
 * <p>What counts as other depends on nothing but the partition's own events in their order.
 */
final class KnownKeys {

  /** Longer than any pane is kept, so that no window holds a key both by itself and in others. */
  static final long UNSEEN_MS = 600_000;

  /** Keys that may go are looked for once in this time, as the look takes all keys. */
  private static final long SWEEP_MS = 10_000;

  private static final class Seen {
    private final PaneKey key;
    private long lastMs;

    private Seen(PaneKey key, long lastMs) {
      this.key = key;
      this.lastMs = lastMs;
    }
  }

  private final int maxKeys;
  private final Map<PaneKey, Seen> seen = new HashMap<>();
  private final Map<String, Integer> keysByModel = new HashMap<>();
  private long sweptMs = Long.MIN_VALUE;

  KnownKeys(int maxKeys) {
    this.maxKeys = maxKeys;
  }

  /**
   * The key that an event counts under.
   *
   * @param key its own
   * @param timeMs time that the event counts at
   */
  PaneKey of(PaneKey key, long timeMs) {
    Seen known = seen.get(key);
    if (known != null) {
      known.lastMs = Math.max(known.lastMs, timeMs);
      return known.key;
    }
    if (seen.size() >= maxKeys) {
      sweep(timeMs);
    }
    if (seen.size() >= maxKeys) {
      return keysByModel.containsKey(key.model())
          ? PaneKey.othersOf(key.model())
          : PaneKey.othersOf(PaneKey.OTHER);
    }
    add(key, timeMs);
    return key;
  }

  private void add(PaneKey key, long lastMs) {
    seen.put(key, new Seen(key, lastMs));
    keysByModel.merge(key.model(), 1, Integer::sum);
  }

  private void sweep(long timeMs) {
    if (sweptMs > timeMs - SWEEP_MS) {
      return;
    }
    sweptMs = timeMs;
    seen.values()
        .removeIf(
            entry -> {
              boolean unseen = entry.lastMs < timeMs - UNSEEN_MS;
              if (unseen) {
                keysByModel.computeIfPresent(
                    entry.key.model(), (model, keys) -> keys == 1 ? null : keys - 1);
              }
              return unseen;
            });
  }

  /** Number of keys that are told apart. */
  int size() {
    return seen.size();
  }

  /** Writes all keys. */
  void writeTo(DataOutput out) throws IOException {
    out.writeLong(sweptMs);
    Varint.write(seen.size(), out);
    for (Seen entry : seen.values()) {
      out.writeUTF(entry.key.model());
      out.writeUTF(entry.key.policy());
      out.writeUTF(entry.key.replica());
      out.writeLong(entry.lastMs);
    }
  }

  /** Takes in what {@link #writeTo} wrote; no key may be known yet. */
  void readFrom(DataInput in) throws IOException {
    sweptMs = in.readLong();
    for (int left = Varint.readAtMost(Integer.MAX_VALUE, in); left > 0; left--) {
      add(new PaneKey(in.readUTF(), in.readUTF(), in.readUTF()), in.readLong());
    }
  }
}
