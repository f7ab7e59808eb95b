package io.warmpath.replica.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rules of {@link KvCache} in the plainest words, to compare with. */
final class SlowCache {

  private static final class Block {
    Long hash;
    int references;
  }

  /** What a sequence holds here. */
  private static final class Holding {
    final List<Block> blocks = new ArrayList<>();
    int registered;
    boolean outdated;
  }

  final List<String> log = new ArrayList<>();
  private final int blockTokens;
  private final List<Block> free = new ArrayList<>();
  private final Map<Long, List<Block>> copies = new HashMap<>();
  private final Map<Sequence, Holding> holdings = new HashMap<>();

  SlowCache(int totalBlocks, int blockTokens) {
    this.blockTokens = blockTokens;
    for (int i = 0; i < totalBlocks; i++) {
      free.add(new Block());
    }
  }

  int freeBlocks() {
    return free.size();
  }

  int cachedPrefix(long[] hashes, int limit) {
    int found = 0;
    while (found < limit && copies.containsKey(hashes[found])) {
      found++;
    }
    return found;
  }

  boolean admit(Sequence sequence, int cachedBlocks, int newTokens) {
    List<Block> hits = new ArrayList<>();
    for (int i = 0; i < cachedBlocks; i++) {
      hits.add(copies.get(sequence.blockHashes[i]).get(0));
    }
    int needed = (int) Math.ceil((double) newTokens / blockTokens);
    if (needed > free.stream().filter(block -> !hits.contains(block)).count()) {
      return false;
    }
    Holding holding = new Holding();
    holdings.put(sequence, holding);
    for (Block hit : hits) {
      free.remove(hit);
      hit.references++;
      holding.blocks.add(hit);
    }
    holding.registered = cachedBlocks;
    allocate(holding, cachedBlocks + needed);
    return true;
  }

  boolean grow(Sequence sequence, int tokens) {
    Holding holding = holdings.get(sequence);
    int needed = (int) Math.ceil((double) tokens / blockTokens);
    if (needed - holding.blocks.size() > free.size()) {
      return false;
    }
    allocate(holding, needed);
    return true;
  }

  void register(Sequence sequence, int tokens) {
    Holding holding = holdings.get(sequence);
    while (!holding.outdated && holding.registered < tokens / blockTokens) {
      Block block = holding.blocks.get(holding.registered);
      block.hash = sequence.blockHashes[holding.registered++];
      List<Block> others = copies.computeIfAbsent(block.hash, hash -> new ArrayList<>());
      if (others.isEmpty()) {
        others.add(block);
        log.add("+" + block.hash);
      } else {
        others.add(1, block);
      }
    }
  }

  void release(Sequence sequence) {
    Holding holding = holdings.remove(sequence);
    for (int i = holding.blocks.size() - 1; i >= 0; i--) {
      Block block = holding.blocks.get(i);
      if (--block.references == 0) {
        free.add(block);
      }
    }
  }

  void clear() {
    copies.values().forEach(blocks -> blocks.forEach(block -> block.hash = null));
    copies.clear();
    holdings.values().forEach(holding -> holding.outdated = true);
    log.add("clear");
  }

  private void allocate(Holding holding, int blocks) {
    while (holding.blocks.size() < blocks) {
      Block block = free.remove(0);
      if (block.hash != null) {
        List<Block> all = copies.get(block.hash);
        all.remove(block);
        if (all.isEmpty()) {
          copies.remove(block.hash);
          log.add("-" + block.hash);
        }
        block.hash = null;
      }
      block.references = 1;
      holding.blocks.add(block);
    }
  }
}
