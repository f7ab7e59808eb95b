package io.warmpath.jobs.combine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.pane.PaneKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class KnownKeysTest {

  private static final long T = 1_796_083_200_000L;

  @Test
  void aKeyBeyondTheLimitCountsAsOtherOfItsModel() {
    KnownKeys keys = new KnownKeys(2);
    assertEquals(key("m", "r1"), keys.of(key("m", "r1"), T));
    assertEquals(key("m", "r2"), keys.of(key("m", "r2"), T));

    assertEquals(new PaneKey("m", "other", "other"), keys.of(key("m", "r3"), T));
    assertEquals(new PaneKey("other", "other", "other"), keys.of(key("n", "r1"), T));
    assertEquals(key("m", "r1"), keys.of(key("m", "r1"), T));
    assertEquals(2, keys.size());
  }

  @Test
  void aKeyNotSeenForLongerThanAnyPaneIsKeptMakesRoom() {
    KnownKeys keys = new KnownKeys(1);
    keys.of(key("m", "r1"), T);
    long lastMs = T + KnownKeys.UNSEEN_MS;
    assertEquals(new PaneKey("other", "other", "other"), keys.of(key("n", "r2"), lastMs));
    assertEquals(key("n", "r2"), keys.of(key("n", "r2"), lastMs + 10_000));
    assertEquals(1, keys.size());
  }

  @Test
  void aKeyThatMadeRoomIsNotKnownByItsObjectEither() {
    KnownKeys keys = new KnownKeys(1);
    PaneKey first = key("m", "r1");
    keys.of(first, T);
    keys.of(first, T);
    keys.of(key("n", "r2"), T + KnownKeys.UNSEEN_MS + 10_000);
    assertEquals(
        new PaneKey("other", "other", "other"), keys.of(first, T + KnownKeys.UNSEEN_MS + 20_000));
  }

  @Property(tries = 100)
  void aRestartChangesNothing(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    KnownKeys straight = new KnownKeys(5);
    KnownKeys restarted = new KnownKeys(5);
    // The same objects again and again, as readers hand them out, and others that are equal.
    Map<PaneKey, PaneKey> handedOut = new HashMap<>();
    long nowMs = T;
    List<PaneKey> expected = new ArrayList<>();
    List<PaneKey> actual = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      nowMs += random.nextInt(40_000);
      PaneKey key = key("m" + random.nextInt(3), "r" + random.nextInt(6));
      key = random.nextInt(10) == 0 ? key : handedOut.computeIfAbsent(key, unheardOf -> unheardOf);
      expected.add(straight.of(key, nowMs));
      actual.add(restarted.of(key, nowMs));
      restarted = random.nextInt(20) == 0 ? restored(restarted) : restarted;
      assertTrue(straight.size() <= 5);
    }
    assertEquals(expected, actual);
  }

  private static KnownKeys restored(KnownKeys from) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    from.writeTo(new DataOutputStream(bytes));
    KnownKeys restored = new KnownKeys(5);
    restored.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    return restored;
  }

  private static PaneKey key(String model, String replica) {
    return new PaneKey(model, "adaptive", replica);
  }
}
