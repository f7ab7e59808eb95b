package io.warmpath.replica.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of vLLM's block pool in the plainest words, to compare with. Whoever holds blocks is
 * any object; what names a block's content is any value.
 */
final class SlowCache {

  private static final class Block {
    final int number;
    Object key;
    int references;

    Block(int number) {
      this.number = number;
    }
  }

  /** What an owner holds here. */
  private static final class Holding {
    final List<Block> blocks = new ArrayList<>();
    int registered;
    boolean outdated;
  }

  final List<String> log = new ArrayList<>();
  private final int blockTokens;
  private final List<Block> free = new ArrayList<>();
  private final Map<Object, List<Block>> copies = new HashMap<>();
  private final Map<Object, Holding> holdings = new HashMap<>();

  SlowCache(int totalBlocks, int blockTokens) {
    this.blockTokens = blockTokens;
    for (int i = 0; i < totalBlocks; i++) {
      free.add(new Block(i));
    }
  }

  /** Numbers of the free blocks, the next one to be reused first. */
  List<Integer> freeOrder() {
    return free.stream().map(block -> block.number).toList();
  }

  int cachedPrefix(List<?> keys, int limit) {
    int found = 0;
    while (found < limit && copies.containsKey(keys.get(found))) {
      found++;
    }
    return found;
  }

  boolean admit(Object owner, List<?> keys, int cachedBlocks, int newTokens) {
    List<Block> hits = new ArrayList<>();
    for (int i = 0; i < cachedBlocks; i++) {
      hits.add(copies.get(keys.get(i)).get(0));
    }
    int needed = (int) Math.ceil((double) newTokens / blockTokens);
    if (needed > free.stream().filter(block -> !hits.contains(block)).count()) {
      return false;
    }
    Holding holding = new Holding();
    holdings.put(owner, holding);
    for (Block hit : hits) {
      free.remove(hit);
      hit.references++;
      holding.blocks.add(hit);
    }
    holding.registered = cachedBlocks;
    allocate(holding, cachedBlocks + needed);
    return true;
  }

  boolean grow(Object owner, int tokens) {
    Holding holding = holdings.get(owner);
    int needed = (int) Math.ceil((double) tokens / blockTokens);
    if (needed - holding.blocks.size() > free.size()) {
      return false;
    }
    allocate(holding, needed);
    return true;
  }

  void register(Object owner, List<?> keys, int tokens) {
    Holding holding = holdings.get(owner);
    while (!holding.outdated && holding.registered < tokens / blockTokens) {
      Block block = holding.blocks.get(holding.registered);
      block.key = keys.get(holding.registered++);
      List<Block> all = copies.computeIfAbsent(block.key, key -> new ArrayList<>());
      if (all.isEmpty()) {
        log.add("+" + block.key);
      }
      all.add(block);
    }
  }

  void release(Object owner) {
    Holding holding = holdings.remove(owner);
    for (int i = holding.blocks.size() - 1; i >= 0; i--) {
      Block block = holding.blocks.get(i);
      if (--block.references == 0) {
        free.add(block);
      }
    }
  }

  void clear() {
    copies.values().forEach(blocks -> blocks.forEach(block -> block.key = null));
    copies.clear();
    holdings.values().forEach(holding -> holding.outdated = true);
    log.add("clear");
  }

  private void allocate(Holding holding, int blocks) {
    while (holding.blocks.size() < blocks) {
      Block block = free.remove(0);
      if (block.key != null) {
        List<Block> all = copies.get(block.key);
        all.remove(block);
        if (all.isEmpty()) {
          copies.remove(block.key);
          log.add("-" + block.key);
        }
        block.key = null;
      }
      block.references = 1;
      holding.blocks.add(block);
    }
  }
}
