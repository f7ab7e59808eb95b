package io.warmpath.replica.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class BlockMapTest {

  /** Keys are few, so that they meet again and collide. */
  @Property
  void behavesLikeAHashMap(
      @ForAll @Size(max = 200) List<@IntRange(min = -40, max = 40) Integer> ops) {
    BlockMap map = new BlockMap(41);
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = 0; i < ops.size(); i++) {
      long key = Math.abs(ops.get(i)) * 0x1_0000_0001L;
      if (ops.get(i) < 0) {
        map.remove(key);
        expected.remove(key);
      } else {
        map.put(key, i);
        expected.put(key, i);
      }
      assertEquals(expected.size(), map.size());
      for (int k = 0; k <= 40; k++) {
        long each = k * 0x1_0000_0001L;
        assertEquals(expected.getOrDefault(each, BlockMap.NONE), map.get(each));
      }
    }
  }
}
