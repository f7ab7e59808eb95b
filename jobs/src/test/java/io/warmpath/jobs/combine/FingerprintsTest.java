package io.warmpath.jobs.combine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FingerprintsTest {

  private static final long T = 1_796_083_200_000L;
  private static final long MEMORY_MS = 120_000;

  @Property(tries = 200)
  void remembersWhatASetWithBucketsWould(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    int maxSize = 1 + random.nextInt(300);
    Fingerprints fingerprints = new Fingerprints(MEMORY_MS, maxSize);
    Map<Long, Long> bucketOf = new HashMap<>();
    long oldest = Long.MIN_VALUE;
    long highMs = T;
    for (int i = 0; i < 1_000; i++) {
      long fingerprint = random.nextInt(2_000);
      highMs += random.nextInt(100) == 0 ? random.nextInt(300_000) : random.nextInt(700);
      long timeMs = highMs - random.nextInt(62_000);
      assertEquals(bucketOf.containsKey(fingerprint), fingerprints.contains(fingerprint));

      boolean isNew = !bucketOf.containsKey(fingerprint);
      if (isNew) {
        oldest = Math.max(oldest, Math.floorDiv(highMs - MEMORY_MS, Fingerprints.BUCKET_MS));
        forgetBefore(oldest, bucketOf);
        long bucket = Math.floorDiv(timeMs, Fingerprints.BUCKET_MS);
        if (bucket >= oldest) {
          bucketOf.put(fingerprint, bucket);
        }
        while (bucketOf.size() > maxSize) {
          oldest++;
          forgetBefore(oldest, bucketOf);
        }
      }
      assertEquals(isNew, fingerprints.add(fingerprint, timeMs, highMs));
      assertEquals(bucketOf.size(), fingerprints.size());
      if (random.nextInt(50) == 0) {
        fingerprints = restored(fingerprints, maxSize);
      }
    }
  }

  private static void forgetBefore(long oldest, Map<Long, Long> bucketOf) {
    bucketOf.values().removeIf(bucket -> bucket < oldest);
  }

  private static Fingerprints restored(Fingerprints from, int maxSize) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    from.writeTo(new DataOutputStream(bytes));
    Fingerprints restored = new Fingerprints(MEMORY_MS, maxSize);
    restored.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertEquals(from.forgotten(), restored.forgotten());
    return restored;
  }

  @Test
  void theOldestLeaveFirstAndAreCounted() {
    Fingerprints fingerprints = new Fingerprints(MEMORY_MS, 10);
    for (int i = 0; i < 10; i++) {
      assertTrue(fingerprints.add(i, T + i * 5_000, T + i * 5_000));
    }
    assertEquals(0, fingerprints.forgotten());
    assertTrue(fingerprints.add(10, T + 50_000, T + 50_000));
    assertEquals(2, fingerprints.forgotten());
    assertFalse(fingerprints.contains(0));
    assertFalse(fingerprints.contains(1));
    assertTrue(fingerprints.contains(2));
  }

  @Test
  void shrinksWhenEventsBecomeFew() {
    Fingerprints fingerprints = new Fingerprints(MEMORY_MS, 1_000_000);
    TreeSet<Integer> sizes = new TreeSet<>();
    for (int i = 0; i < 100_000; i++) {
      fingerprints.add(i * 7919L, T, T);
      sizes.add(fingerprints.slotCount());
    }
    for (int i = 1; i <= 60; i++) {
      fingerprints.add(-i, T + i * 10_000, T + i * 10_000);
    }
    assertTrue(fingerprints.slotCount() <= 128, "slots: " + fingerprints.slotCount());
    assertTrue(sizes.last() <= 262_144);
  }

  @Test
  void aMemoryLongerThanItsTagsIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Fingerprints(2_000_000, 10));
  }
}
