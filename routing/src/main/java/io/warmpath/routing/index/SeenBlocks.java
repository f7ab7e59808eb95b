package io.warmpath.routing.index;

import io.warmpath.routing.cache.BlockCache;

/**
 * Blocks that any replica ever held, as far as a bounded history knows; the least recently used
 * leave first. Reading takes no lock.
 */
final class SeenBlocks {

  private static final int ANY = 0;

  private final BlockTable table = new BlockTable();
  private final BlockCache order;

  SeenBlocks(int mostBlocks) {
    order = new BlockCache(mostBlocks, hash -> table.remove(hash, ANY));
  }

  synchronized void touch(long hash) {
    table.add(hash, ANY);
    order.touch(hash);
  }

  synchronized void touch(long[] hashes, int n) {
    for (int i = n - 1; i >= 0; i--) {
      table.add(hashes[i], ANY);
    }
    order.touch(hashes, n);
  }

  int leading(long[] hashes, int n) {
    int[] leading = new int[1];
    table.leading(hashes, n, 1, leading, ANY);
    return leading[ANY];
  }
}
