package io.warmpath.jobs.combine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.jobs.combine.Sequence.Verdict;
import io.warmpath.jobs.pane.PaneKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SequencesTest {

  private static final long BOUND_MS = 2_000;
  private static final long FIRST = 100;

  private Sequences sequences = new Sequences(3);
  private long highMs;
  private long lost;

  @Test
  void aNumberingMayBeJoinedAnywhere() {
    assertEquals(Verdict.NEW, note("r", 1, 917));
    assertEquals(Verdict.NEW, note("r", 1, 918));
    later(10_000);
    assertEquals(0, lost);
  }

  @Test
  void whatIsLeftOutIsLostOnlyWhenItCannotComeAnyMore() {
    note("r", 1, 0);
    note("r", 1, 4);
    later(BOUND_MS);
    assertEquals(0, lost);
    assertEquals(Verdict.NEW, note("r", 1, 2));
    later(1);
    assertEquals(2, lost);
    assertEquals(Verdict.COPY, note("r", 1, 1));
  }

  @Test
  void whatComesAgainIsACopy() {
    note("r", 1, 0);
    note("r", 1, 1);
    assertEquals(Verdict.COPY, note("r", 1, 1));
    assertEquals(Verdict.COPY, note("r", 1, 0));
  }

  @Test
  void ranksAndReplicasAreNumberedApart() {
    assertEquals(Verdict.NEW, note("r", 1, 7));
    assertEquals(Verdict.NEW, note("s", 1, 7));
    assertEquals(Verdict.NEW, noteOfLane(1, 7));
    later(10_000);
    assertEquals(0, lost);
  }

  @Test
  void aRestartBeginsAgainAndWaitsForNothingOfBefore() {
    note("r", 1, 0);
    note("r", 1, 3);
    assertEquals(Verdict.RESTART, note("r", 2, 1));
    assertEquals(Verdict.STALE, note("r", 1, 4));
    assertEquals(Verdict.NEW, note("r", 2, 2));
    later(1);
    assertEquals(2, lost);
    later(10_000);
    assertEquals(3, lost);
  }

  @Test
  void partsOfOneNumberAreNoCopies() {
    assertEquals(Verdict.NEW, notePart(5, 0));
    assertEquals(Verdict.NEW, notePart(5, 1));
    assertEquals(Verdict.COPY, notePart(5, 1));
    assertEquals(Verdict.NEW, notePart(6, 0));
    assertEquals(Verdict.NEW, notePart(5, 2));
  }

  @Test
  void aPartLeftOutBelowAnotherIsLostWhenItCannotComeAnyMore() {
    notePart(5, 0);
    notePart(5, 3);
    notePart(6, 1);
    later(BOUND_MS);
    assertEquals(Verdict.NEW, notePart(5, 2));
    assertEquals(0, lost);
    later(1);
    assertEquals(2, lost);
    assertEquals(Verdict.COPY, notePart(5, 1));
    later(10_000);
    assertEquals(2, lost);
  }

  @Test
  void missingPartsOutliveNeitherARestartNorTheirMemory() throws IOException {
    notePart(5, 1);
    restore();
    note("r", 2, 0);
    later(0);
    assertEquals(1, lost);
    sequences.note(place("r", 0, 2, 1, 1), highMs);
    for (int seq = 2; seq < 20; seq++) {
      note("r", 2, seq);
    }
    later(0);
    assertEquals(2, lost);
  }

  @Test
  void beyondItsBoundNothingIsRememberedOfANumbering() {
    note("a", 1, 0);
    note("b", 1, 0);
    note("c", 1, 0);
    assertEquals(Verdict.NEW, note("d", 1, 0));
    assertEquals(Verdict.NEW, note("d", 1, 0));
    assertEquals(3, sequences.size());
    later(3_700_000);
    assertEquals(Verdict.NEW, note("d", 1, 0));
    assertEquals(Verdict.COPY, note("d", 1, 0));
  }

  @Test
  void holesAreBounded() {
    note("r", 1, 0);
    for (int i = 1; i <= Sequence.MAX_HOLES + 5; i++) {
      note("r", 1, 2L * i);
    }
    later(0);
    assertEquals(5, lost);
  }

  /**
   * Whatever comes in disorder within the bound, twice or not at all, with a restart of the job.
   */
  @Property(tries = 300)
  void everyLossAndEveryCopyIsCountedOnce(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 200) int records) throws IOException {
    sequences = new Sequences(3);
    highMs = 0;
    lost = 0;
    Random random = new Random(seed);
    Set<Long> dropped = new HashSet<>();
    List<long[]> arrivals = new ArrayList<>();
    int copies = 0;
    for (long i = 0; i < records; i++) {
      if (i > 0 && i < records - 1 && random.nextInt(10) == 0) {
        dropped.add(FIRST + i);
        continue;
      }
      // Ends stay in place, so that what comes first begins the numbering and the last ends it.
      boolean end = i == 0 || i == records - 1;
      arrivals.add(new long[] {1_000 * i + (end ? 0 : random.nextInt(1_900)), FIRST + i});
      if (i > 0 && random.nextInt(10) == 0) {
        arrivals.add(new long[] {1_000 * i + 1_950 + random.nextInt(30_000), FIRST + i});
        copies++;
      }
    }
    arrivals.sort((a, b) -> Long.compare(a[0], b[0]));
    int counted = 0;
    for (long[] arrival : arrivals) {
      highMs = Math.max(highMs, arrival[0]);
      counted += note("r", 1, arrival[1]) == Verdict.COPY ? 1 : 0;
      later(0);
      if (random.nextInt(20) == 0) {
        restore();
      }
    }
    later(BOUND_MS + 1);
    assertEquals(dropped.size(), lost);
    assertEquals(copies, counted);
  }

  private void restore() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    sequences.writeTo(new DataOutputStream(bytes));
    sequences = new Sequences(3);
    sequences.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    sequences.writeTo(new DataOutputStream(again));
    assertEquals(List.of(bytes.toByteArray().length), List.of(again.toByteArray().length));
  }

  private Verdict note(String replica, long incarnation, long seq) {
    return sequences.note(place(replica, 0, incarnation, seq, 0), highMs);
  }

  private Verdict noteOfLane(int lane, long seq) {
    return sequences.note(place("r", lane, 1, seq, 0), highMs);
  }

  private Verdict notePart(long seq, int part) {
    return sequences.note(place("r", 0, 1, seq, part), highMs);
  }

  private static SequencePlace place(
      String replica, int lane, long incarnation, long seq, int part) {
    return new SequencePlace(PaneKey.of("m", null, replica), lane, incarnation, seq, part);
  }

  private void later(long ms) {
    highMs += ms;
    sequences.takeLost(highMs - BOUND_MS, (key, count) -> lost += count);
  }
}
