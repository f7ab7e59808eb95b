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
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SequencesTest {

  private static final long BOUND_MS = 2_000;
  private static final long FIRST = 100;

  private Sequences sequences = new Sequences(3, BOUND_MS);
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
  void aNumberingMayBeJoinedInsideABatch() throws IOException {
    assertEquals(Verdict.NEW, notePart(5, 3));
    restore();
    assertEquals(Verdict.NEW, notePart(5, 5));
    later(10_000);
    assertEquals(1, lost);
  }

  @Test
  void missingPartsOutliveNeitherARestartNorTheirMemory() throws IOException {
    notePart(5, 0);
    notePart(5, 2);
    restore();
    note("r", 2, 0);
    later(0);
    assertEquals(1, lost);
    sequences.note(place("r", 0, 2, 1, 1), highMs);
    for (int seq = 2; seq <= Sequence.MAX_NUMBERS; seq++) {
      note("r", 2, seq);
    }
    later(0);
    assertEquals(1, lost);
    note("r", 2, Sequence.MAX_NUMBERS + 1);
    later(0);
    assertEquals(2, lost);
  }

  @Test
  void aMissingPartIsWaitedForHoweverManyNumbersComeMeanwhile() throws IOException {
    notePart(5, 1);
    notePart(6, 1);
    notePart(7, 0);
    for (int seq = 8; seq < 60; seq++) {
      note("r", 1, seq);
    }
    later(BOUND_MS);
    restore();
    // Below the first part ever heard of nothing is missed.
    assertEquals(Verdict.COPY, notePart(5, 0));
    assertEquals(Verdict.NEW, notePart(6, 0));
    assertEquals(Verdict.NEW, notePart(7, 1));
    later(10_000);
    assertEquals(0, lost);
  }

  @Test
  void eachMissingPartIsWaitedForSinceItWasRevealed() throws IOException {
    notePart(5, 0);
    notePart(5, 2);
    later(BOUND_MS / 2);
    notePart(5, 5);
    restore();
    later(BOUND_MS / 2 + 1);
    assertEquals(1, lost);
    assertEquals(Verdict.COPY, notePart(5, 1));
    assertEquals(Verdict.NEW, notePart(5, 3));
    later(BOUND_MS / 2);
    assertEquals(2, lost);
  }

  @Test
  void readsPartsThatWereWrittenWithOneTime() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(0); // swept
    out.writeByte(1); // numberings
    for (String name : List.of("m", "*", "r")) {
      out.writeUTF(name);
    }
    out.writeInt(0); // lane
    out.writeLong(1); // incarnation
    out.writeLong(9); // next number
    out.writeLong(0); // last time
    out.writeLong(0); // lost at once
    out.writeByte(1); // holes
    out.writeLong(6);
    out.writeLong(7);
    out.writeLong(0);
    out.writeByte(1); // numbers that came in parts
    out.writeLong(8);
    out.writeLong(0);
    out.writeByte(1);
    out.writeByte(0b1001); // parts 0 and 3
    sequences.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    restore();

    assertEquals(Verdict.NEW, notePart(8, 2));
    assertEquals(Verdict.COPY, notePart(8, 3));
    assertEquals(Verdict.NEW, notePart(7, 0));
    later(BOUND_MS + 1);
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
   * Whatever comes in disorder within the bound, twice or not at all, in parts or whole, slowly or
   * hundreds within the bound, with a restart of the job.
   */
  @Property(tries = 300)
  void everyLossAndEveryCopyIsCountedOnce(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 200) int records,
      @ForAll @IntRange(min = 5, max = 1_000) int everyMs,
      @ForAll @IntRange(min = 1, max = 5) int mostParts)
      throws IOException {
    sequences = new Sequences(3, BOUND_MS);
    highMs = 0;
    lost = 0;
    Random random = new Random(seed);
    List<long[]> arrivals = new ArrayList<>();
    int copies = 0;
    int dropped = 0;
    for (int i = 0; i < records; i++) {
      // Ends stay in place, so that what comes first begins the numbering and the last ends it.
      boolean end = i == 0 || i == records - 1;
      long timeMs = (long) everyMs * i + (i == records - 1 ? 2_000 : 0);
      int parts = end ? 1 : 1 + random.nextInt(mostParts);
      int arrived = 0;
      int missing = 0;
      for (int part = parts - 1; part >= 0; part--) {
        if (!end && random.nextInt(10) == 0) {
          // Nobody knows of parts above the last that came.
          missing += arrived > 0 ? 1 : 0;
          continue;
        }
        arrived++;
        arrivals.add(new long[] {timeMs + (end ? 0 : random.nextInt(1_900)), FIRST + i, part});
        if (i > 0 && random.nextInt(10) == 0) {
          arrivals.add(new long[] {timeMs + 1_950 + random.nextInt(30_000), FIRST + i, part});
          copies++;
        }
      }
      // Of a number of which nothing came nobody knows how many parts it had.
      dropped += arrived == 0 ? 1 : missing;
    }
    arrivals.sort((a, b) -> Long.compare(a[0], b[0]));
    int counted = 0;
    for (long[] arrival : arrivals) {
      highMs = Math.max(highMs, arrival[0]);
      counted += notePart(arrival[1], (int) arrival[2]) == Verdict.COPY ? 1 : 0;
      later(0);
      if (random.nextInt(20) == 0) {
        restore();
      }
    }
    later(BOUND_MS + 1);
    assertEquals(dropped, lost);
    assertEquals(copies, counted);
  }

  private void restore() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    sequences.writeTo(new DataOutputStream(bytes));
    sequences = new Sequences(3, BOUND_MS);
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
