package io.warmpath.routing.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class BlockTableTest {

  private final BlockTable table = new BlockTable();

  @Property(tries = 200)
  void holdsWhatAMapOfSetsHolds(@ForAll long seed) {
    Random random = new Random(seed);
    BlockTable blocks = new BlockTable();
    Map<Long, Long> truth = new HashMap<>();
    int distinct = 1 + random.nextInt(300);
    for (int step = 0; step < 2_000; step++) {
      // 0 is a hash like any other.
      long hash = random.nextInt(distinct) * 0x123456789ABCDEFL;
      int replica = random.nextInt(64);
      long bit = 1L << replica;
      long before = truth.getOrDefault(hash, 0L);
      switch (random.nextInt(200)) {
        case 0 -> {
          blocks.removeAll(replica);
          truth.replaceAll((each, holders) -> holders & ~bit);
        }
        default -> {
          boolean add = random.nextInt(3) > 0;
          boolean changed = add ? blocks.add(hash, replica) : blocks.remove(hash, replica);
          assertEquals(((before & bit) == 0) == add, changed);
          truth.put(hash, add ? before | bit : before & ~bit);
        }
      }
    }
    truth.forEach((hash, holders) -> assertEquals(holders, blocks.holders(hash)));
    assertEquals(truth.values().stream().filter(holders -> holders != 0).count(), blocks.blocks());
  }

  @Property(tries = 200)
  void leadingIsHowFarEachReplicasBlocksReach(@ForAll long seed) {
    Random random = new Random(seed);
    BlockTable blocks = new BlockTable();
    long[] prompt = random.longs(1 + random.nextInt(200)).toArray();
    int[] held = new int[BlockTable.MAX_REPLICAS];
    for (int replica = 0; replica < held.length; replica++) {
      held[replica] = random.nextInt(4) == 0 ? 0 : random.nextInt(prompt.length + 1);
      for (int i = 0; i < held[replica]; i++) {
        blocks.add(prompt[i], replica);
      }
    }
    int n = random.nextInt(prompt.length + 1);
    long asked = random.nextLong();
    int[] expected = new int[held.length + 3];
    for (int replica = 0; replica < held.length; replica++) {
      expected[3 + replica] = (asked >>> replica & 1) == 0 ? 0 : Math.min(n, held[replica]);
    }

    int[] leading = new int[held.length + 3];
    blocks.leading(prompt, n, asked, leading, 3);

    assertArrayEquals(expected, leading);
  }

  @Test
  void memoryFollowsWhatIsHeld() {
    long hash = 1;
    for (int i = 0; i < 1_000_000; i++) {
      table.add(hash, 1);
      table.remove(hash, 1);
      hash += 0x9E3779B97F4A7C15L;
    }
    assertTrue(table.bytes() < 1_000, () -> table.bytes() + " bytes of nothing");

    for (int i = 0; i < 100_000; i++) {
      table.add(hash += 0x9E3779B97F4A7C15L, 1);
    }
    assertTrue(table.bytes() <= 32 * 100_001, () -> table.bytes() + " bytes");
  }

  /** A block that nobody touches is there, whatever becomes of others meanwhile. */
  @Test
  void readersFindWhatDoesNotChangeWhileOthersDo() throws InterruptedException {
    long[] lasting = new Random(1).longs(500).toArray();
    for (long hash : lasting) {
      table.add(hash, 7);
    }
    AtomicBoolean over = new AtomicBoolean();
    AtomicBoolean lost = new AtomicBoolean();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Thread reader =
          new Thread(
              () -> {
                int[] leading = new int[BlockTable.MAX_REPLICAS];
                while (!over.get()) {
                  table.leading(lasting, lasting.length, 1L << 7, leading, 0);
                  if (leading[7] != lasting.length) {
                    lost.set(true);
                  }
                }
              });
      reader.start();
      readers.add(reader);
    }
    Random random = new Random(2);
    for (int i = 0; i < 2_000_000; i++) {
      long hash = random.nextInt(5_000);
      if (random.nextBoolean()) {
        table.add(hash, random.nextInt(64));
      } else {
        table.remove(hash, random.nextInt(64));
      }
    }
    over.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertFalse(lost.get());
  }
}
