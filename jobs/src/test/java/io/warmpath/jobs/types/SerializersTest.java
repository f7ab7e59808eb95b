package io.warmpath.jobs.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.GpuSample;
import io.warmpath.jobs.pane.KeyedPane;
import io.warmpath.jobs.pane.KeyedPaneSerializer;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.pane.PaneSerializer;
import io.warmpath.jobs.pane.Timing;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.InboundSerializer;
import io.warmpath.jobs.source.Refusal;
import io.warmpath.jobs.testing.Arrivals;
import io.warmpath.jobs.testing.Request;
import io.warmpath.jobs.testing.Rows;
import io.warmpath.jobs.weights.ControlStateSerializer;
import io.warmpath.jobs.window.RowPlace;
import io.warmpath.jobs.window.WrittenRow;
import io.warmpath.routing.control.ControlState;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.cache.ReplicaTelemetry.Source;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.RecordKeys;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;
import org.junit.jupiter.api.Test;

/** What lies in savepoints and travels between operators. */
class SerializersTest {

  private static final long T = 1_796_083_200_000L;

  @Property(tries = 100)
  void panesComeBackAsTheyWere(@ForAll long seed) throws IOException {
    Pane pane = pane(new Random(seed));
    assertEquals(pane, roundTrip(new PaneSerializer(), pane));
    assertEquals(pane, new PaneSerializer().copy(pane));
    assertNotSame(pane, new PaneSerializer().copy(pane));
  }

  @Property(tries = 100)
  void mergingPanesKnowsNoOrder(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<Pane> panes = List.of(pane(random), pane(random), pane(random));
    assertArrayEquals(
        bytes(new PaneSerializer(), merged(panes, 0, 1, 2)),
        bytes(new PaneSerializer(), merged(panes, 2, 0, 1)));
  }

  @Test
  void everySerializerIsRestoredFromItsSnapshot() throws IOException {
    Arrivals<RequestEvent> arrivals = new Arrivals<>(Topics.REQUESTS, Arrivals.REQUESTS);
    Inbound<RequestEvent> parsed = arrivals.onTime(3, Request.at(T).finished());
    restored(
        InboundSerializer.typeOf(Arrivals.REQUESTS).createSerializer(new SerializerConfigImpl()),
        parsed);
    restored(new JsonSerializer<>(RecordKind.ROUTING_STATS), Rows.total(T));
    restored(new ControlStateSerializer(), ControlState.INITIAL);
    restored(new PaneSerializer(), pane(new Random(1)));
  }

  @Test
  void panesKeepTheirKey() throws IOException {
    KeyedPane keyed = new KeyedPane(new PaneKey("m", "*", "r"), T, pane(new Random(2)));
    assertEquals(keyed, restored(new KeyedPaneSerializer(), keyed));
  }

  @Test
  void rowsKeepTheirPlaceAndAllThatTheySay() throws IOException {
    RoutingStats row = Rows.total(T);
    WrittenRow written = roundTrip(new WrittenRow.Serializer(), WrittenRow.of(row));
    assertEquals(row, written.read());
    assertEquals(row.model(), written.model());
    assertEquals(RowPlace.of(row), written.place());
    assertEquals(row.provisional(), written.provisional());
    assertEquals(RecordKeys.of(row), written.recordKey());
  }

  @Test
  void refusalsKeepTheirKeyOrItsAbsence() throws IOException {
    DeadLetter letter = DeadLetter.of("t", 1, 2, Reason.NOT_JSON, "no", new byte[] {3});
    Refusal withKey = roundTrip(new Refusal.Serializer(), new Refusal(new byte[] {1, 2}, letter));
    assertArrayEquals(new byte[] {1, 2}, withKey.key());
    assertEquals(letter, withKey.letter());
    assertEquals(null, roundTrip(new Refusal.Serializer(), new Refusal(null, letter)).key());
  }

  @Test
  void oneKindOfRecordIsNotReadAsAnother() {
    TypeSerializerSnapshot<RoutingStats> rows =
        new JsonSerializer<>(RecordKind.ROUTING_STATS).snapshotConfiguration();
    assertTrue(rows.resolveSchemaCompatibility(rows).isCompatibleAsIs());
    assertTrue(rows.resolveSchemaCompatibility(new ForeignSnapshot()).isIncompatible());
  }

  /** A snapshot of no serializer of ours. */
  private static final class ForeignSnapshot implements TypeSerializerSnapshot<RoutingStats> {
    @Override
    public int getCurrentVersion() {
      return 1;
    }

    @Override
    public void writeSnapshot(DataOutputView out) {
      // Nothing to say.
    }

    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader loader) {
      // Nothing to say.
    }

    @Override
    public TypeSerializer<RoutingStats> restoreSerializer() {
      throw new UnsupportedOperationException();
    }

    @Override
    public TypeSerializerSchemaCompatibility<RoutingStats> resolveSchemaCompatibility(
        TypeSerializerSnapshot<RoutingStats> old) {
      throw new UnsupportedOperationException();
    }
  }

  private static Pane pane(Random random) {
    Pane pane = new Pane();
    for (Count count : Count.values()) {
      pane.add(count, random.nextInt(3) == 0 ? random.nextInt(100_000) : 0);
    }
    for (Timing timing : Timing.values()) {
      for (int i = random.nextInt(5); i > 0; i--) {
        pane.add(timing, random.nextInt(1_000_000));
      }
    }
    for (int i = random.nextInt(5); i > 0; i--) {
      pane.addFitSample(random.nextInt(10_000), random.nextInt(1_000_000));
      pane.noteLoss("balancer-" + random.nextInt(3), random.nextInt(10));
      pane.noteGpu(
          "replica-" + random.nextInt(3),
          new GpuSample(random.nextInt(3), random.nextInt(3), 3, Source.JCUDA));
    }
    return pane;
  }

  private static Pane merged(List<Pane> panes, int... order) {
    Pane merged = new Pane();
    for (int index : order) {
      merged.merge(panes.get(index));
    }
    return merged;
  }

  private static <T> T restored(TypeSerializer<T> serializer, T value) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    TypeSerializerSnapshot<T> snapshot =
        TypeSerializerSnapshot.readVersionedSnapshot(
            new DataInputDeserializer(out.getCopyOfBuffer()),
            SerializersTest.class.getClassLoader());
    assertTrue(
        serializer.snapshotConfiguration().resolveSchemaCompatibility(snapshot).isCompatibleAsIs());
    DataInputDeserializer in = new DataInputDeserializer(bytes(serializer, value));
    T back = snapshot.restoreSerializer().deserialize(in);
    assertEquals(value, back);
    return back;
  }

  private static <T> T roundTrip(TypeSerializer<T> serializer, T value) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(bytes(serializer, value));
    T back = serializer.deserialize(in);
    assertEquals(0, in.available());
    return back;
  }

  private static <T> byte[] bytes(TypeSerializer<T> serializer, T value) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(value, out);
    return out.getCopyOfBuffer();
  }
}
