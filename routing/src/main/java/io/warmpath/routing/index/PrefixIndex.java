package io.warmpath.routing.index;

import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Which replica holds which prefix. A replica whose cache events arrive is known precisely; of any
 * other, the router assumes that it still holds what was last sent to it. Safe for concurrent use;
 * questions take no lock, so an answer about blocks that change meanwhile can be of before and
 * after.
 *
 * <p>Blocks are given as chained prefix hashes, first block first. Replicas stand in groups of 64,
 * each with one table of blocks, so that one look at a block answers for all of them.
 */
public final class PrefixIndex {

  private final IndexBounds bounds;
  private final Map<String, ReplicaBlocks> replicas = new ConcurrentHashMap<>();
  private final List<ReplicaGroup> groups = new CopyOnWriteArrayList<>();
  private final SeenBlocks seen;

  public PrefixIndex(IndexBounds bounds) {
    this.bounds = bounds;
    this.seen = new SeenBlocks(bounds.seenBlocks());
  }

  /** Adds a replica that holds nothing yet; one that is known stays as it is. */
  public void addReplica(String name) {
    replicas.computeIfAbsent(name, added -> join());
  }

  private synchronized ReplicaBlocks join() {
    for (ReplicaGroup group : groups) {
      ReplicaBlocks joined = group.join();
      if (joined != null) {
        return joined;
      }
    }
    groups.add(new ReplicaGroup(groups.size() * BlockTable.MAX_REPLICAS, bounds));
    return groups.get(groups.size() - 1).join();
  }

  /** Removes a replica and all that is known of it. */
  public void removeReplica(String name) {
    ReplicaBlocks blocks = replicas.remove(name);
    if (blocks != null) {
      blocks.leave();
    }
  }

  /** Names of the replicas. */
  public Set<String> replicas() {
    return Set.copyOf(replicas.keySet());
  }

  /**
   * Leading blocks, of the first {@code n}, that each of some replicas holds; 0 for an unknown one.
   *
   * @param names the replicas
   * @return the numbers, in the order of the names
   */
  public int[] cachedBlocks(long[] hashes, int n, List<String> names) {
    int[] byPlace = new int[groups.size() * BlockTable.MAX_REPLICAS];
    for (ReplicaGroup group : groups) {
      if (group.firstPlace() < byPlace.length) {
        group.leading(hashes, n, byPlace);
      }
    }
    int[] cached = new int[names.size()];
    for (int i = 0; i < cached.length; i++) {
      ReplicaBlocks blocks = replicas.get(names.get(i));
      // One that joined a new group just now holds nothing.
      cached[i] = blocks == null || blocks.place() >= byPlace.length ? 0 : byPlace[blocks.place()];
    }
    return cached;
  }

  /** Leading blocks that the replica holds, of the first {@code n}; 0 for an unknown replica. */
  public int cachedBlocks(long[] hashes, int n, String replica) {
    ReplicaBlocks blocks = replicas.get(replica);
    return blocks == null ? 0 : blocks.leading(hashes, n);
  }

  /** Leading blocks that any replica ever held, as far as the bounded history knows. */
  public int seenBlocks(long[] hashes, int n) {
    return seen.leading(hashes, n);
  }

  /** Blocks that the replica holds, of any prompt; 0 for an unknown replica. */
  public long storedBlocks(String replica) {
    ReplicaBlocks blocks = replicas.get(replica);
    return blocks == null ? 0 : blocks.size();
  }

  /** Whether the replica is known precisely, from its cache events. */
  public boolean isReporting(String replica) {
    ReplicaBlocks blocks = replicas.get(replica);
    return blocks != null && blocks.reporting();
  }

  /** Notes that a prompt went to a replica, which will hold its blocks from then on. */
  public void routed(long[] hashes, int n, String replica) {
    ReplicaBlocks blocks = replicas.get(replica);
    if (blocks != null) {
      blocks.routed(hashes, n);
    }
    seen.touch(hashes, n);
  }

  /** Forgets what a replica holds, after a restart without cache events for instance. */
  public void forget(String replica) {
    ReplicaBlocks blocks = replicas.get(replica);
    if (blocks != null) {
      blocks.forget();
    }
  }

  /**
   * Applies cache events. A new incarnation of the engine starts from an empty cache.
   *
   * @return false if the batch was ignored: its replica is unknown or its incarnation is gone
   */
  public boolean apply(CacheEventBatch batch) {
    ReplicaBlocks blocks = replicas.get(batch.replica());
    if (blocks == null || !blocks.apply(batch)) {
      return false;
    }
    for (CacheEvent event : batch.events()) {
      if (event instanceof CacheEvent.Stored stored) {
        see(stored.hashesB64());
      }
    }
    return true;
  }

  private void see(HashList hashes) {
    for (int i = hashes.size() - 1; i >= 0; i--) {
      seen.touch(hashes.get(i));
    }
  }
}
