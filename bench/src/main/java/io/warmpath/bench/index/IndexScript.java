package io.warmpath.bench.index;

import io.warmpath.lab.trace.Trace;
import io.warmpath.routing.cache.BlockCache;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an index hears when a trace is served: for each request the question where its prompt is
 * cached, then the cache events of the replica that took it. Made beforehand, so that a replay
 * measures the index alone. Prompts go where most of them is cached, and to each replica in turn
 * where none is.
 */
final class IndexScript {

  /**
   * One request.
   *
   * @param replica who takes it
   * @param cached leading blocks of the prompt that it holds before
   * @param changes what the request changes there, null if nothing
   */
  record Step(long[] prompt, int replica, int cached, CacheEventBatch changes) {}

  private static final String MODEL = "m";
  private static final long INCARNATION = 1;

  private final List<Step> steps = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final int blockTokens;
  private long askedBlocks;
  private long changedBlocks;

  /**
   * @param capacityBlocks blocks of {@code blockTokens} that each replica holds; 0 = unbounded
   * @param blockTokens tokens of a block, a divisor of the trace's own: each of its blocks becomes
   *     several
   */
  IndexScript(Trace trace, int replicas, int capacityBlocks, int blockTokens) {
    if (blockTokens < 1 || trace.blockTokens() % blockTokens != 0) {
      throw new IllegalArgumentException(
          "--block-tokens must divide the trace's %d: %d"
              .formatted(trace.blockTokens(), blockTokens));
    }
    this.blockTokens = blockTokens;
    Set<Long> evicted = new LinkedHashSet<>();
    List<BlockCache> caches = new ArrayList<>();
    long[] sequences = new long[replicas];
    for (int i = 0; i < replicas; i++) {
      names.add("replica-" + i);
      caches.add(new BlockCache(capacityBlocks, evicted::add));
    }
    for (int request = 0; request < trace.size(); request++) {
      long[] prompt = split(trace, request);
      int taken = request % replicas;
      int cached = caches.get(taken).leading(prompt, prompt.length);
      for (int i = 0; i < replicas; i++) {
        int leading = caches.get(i).leading(prompt, prompt.length);
        if (leading > cached) {
          taken = i;
          cached = leading;
        }
      }
      long[] added = touch(caches.get(taken), prompt, evicted);
      steps.add(new Step(prompt, taken, cached, batch(taken, sequences, added, evicted)));
      askedBlocks += prompt.length;
      changedBlocks += added.length + evicted.size();
    }
  }

  /** The blocks that come to be held; {@code evicted} keeps those that were held before. */
  private static long[] touch(BlockCache cache, long[] prompt, Set<Long> evicted) {
    long[] missing = Arrays.stream(prompt).filter(block -> !cache.contains(block)).toArray();
    evicted.clear();
    cache.touch(prompt, prompt.length);
    // Of a prompt longer than the cache, the tail comes and goes at once.
    return Arrays.stream(missing).filter(block -> !evicted.remove(block)).toArray();
  }

  private CacheEventBatch batch(int replica, long[] sequences, long[] added, Set<Long> evicted) {
    List<CacheEvent> events = new ArrayList<>();
    // An engine makes room before it stores.
    if (!evicted.isEmpty()) {
      long[] removed = evicted.stream().mapToLong(Long::longValue).toArray();
      events.add(new CacheEvent.Removed(HashList.of(removed), CacheEvent.GPU, 0));
    }
    if (added.length > 0) {
      events.add(new CacheEvent.Stored(HashList.of(added), blockTokens, CacheEvent.GPU, 0));
    }
    return events.isEmpty()
        ? null
        : new CacheEventBatch(
            0,
            names.get(replica),
            MODEL,
            CacheEventBatch.Source.ENGINE,
            INCARNATION,
            0,
            sequences[replica]++,
            null,
            events);
  }

  /** Hashes of the request's full blocks: those of the trace, each cut into equal parts. */
  private long[] split(Trace trace, int request) {
    int parts = trace.blockTokens() / blockTokens;
    long[] hashes = new long[trace.fullBlocks(request) * parts];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = mix(trace.blockId(request, i / parts) * parts + i % parts);
    }
    return hashes;
  }

  /** The last step of MurmurHash3, which maps no two numbers to one. */
  private static long mix(long value) {
    long mixed = value + 1;
    mixed = (mixed ^ (mixed >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ (mixed >>> 33);
  }

  List<Step> steps() {
    return steps;
  }

  /** Names of the replicas. */
  List<String> names() {
    return names;
  }

  /** Blocks of all prompts. */
  long askedBlocks() {
    return askedBlocks;
  }

  /** Blocks stored and removed. */
  long changedBlocks() {
    return changedBlocks;
  }
}
