package io.warmpath.jobs.pane;

import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.measure.DurationSketch;
import io.warmpath.routing.measure.Varint;
import io.warmpath.schemas.cache.ReplicaTelemetry.Source;
import java.io.IOException;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Panes in a few bytes for each thing that they hold. Each part is preceded by its number of
 * entries, and entries carry their place, so that counts and distributions can be added later.
 */
public final class PaneSerializer extends TypeSerializer<Pane> {

  private static final long serialVersionUID = 1L;

  private static final int INITIAL_BYTES = 512;
  private static final int MAX_ENTRIES = 1 << 24;
  private static final Count[] COUNTS = Count.values();
  private static final Timing[] TIMINGS = Timing.values();
  private static final Source[] SOURCES = Source.values();

  @Override
  public void serialize(Pane pane, DataOutputView target) throws IOException {
    if (target instanceof DataOutputSerializer memory) {
      write(pane, memory);
    } else {
      // A checkpoint's stream is slow byte by byte.
      DataOutputSerializer memory = new DataOutputSerializer(INITIAL_BYTES);
      write(pane, memory);
      target.write(memory.getSharedBuffer(), 0, memory.length());
    }
  }

  private static void write(Pane pane, DataOutputView target) throws IOException {
    writeCounts(pane, target);
    writeTimings(pane, target);
    target.writeBoolean(pane.fit() != null);
    if (pane.fit() != null) {
      pane.fit().writeTo(target);
    }
    Varint.write(pane.lossByRouterRun().size(), target);
    for (Map.Entry<String, Long> loss : pane.lossByRouterRun().entrySet()) {
      target.writeUTF(loss.getKey());
      Varint.write(loss.getValue(), target);
    }
    writeGpus(pane, target);
  }

  private static void writeCounts(Pane pane, DataOutputView target) throws IOException {
    int held = 0;
    for (Count count : COUNTS) {
      held += pane.get(count) == 0 ? 0 : 1;
    }
    Varint.write(held, target);
    for (Count count : COUNTS) {
      if (pane.get(count) != 0) {
        Varint.write(count.ordinal(), target);
        Varint.write(pane.get(count), target);
      }
    }
  }

  private static void writeTimings(Pane pane, DataOutputView target) throws IOException {
    int held = 0;
    for (Timing timing : TIMINGS) {
      held += pane.get(timing) == null ? 0 : 1;
    }
    Varint.write(held, target);
    for (Timing timing : TIMINGS) {
      if (pane.get(timing) != null) {
        Varint.write(timing.ordinal(), target);
        pane.get(timing).writeTo(target);
      }
    }
  }

  private static void writeGpus(Pane pane, DataOutputView target) throws IOException {
    Varint.write(pane.gpuByReplica().size(), target);
    for (Map.Entry<String, GpuSample> gpu : pane.gpuByReplica().entrySet()) {
      target.writeUTF(gpu.getKey());
      target.writeLong(gpu.getValue().timeMs());
      Varint.write(gpu.getValue().usedBytes(), target);
      Varint.write(gpu.getValue().totalBytes(), target);
      Varint.write(gpu.getValue().source().ordinal(), target);
    }
  }

  @Override
  public Pane deserialize(DataInputView source) throws IOException {
    Pane pane = new Pane();
    for (int left = entries(source); left > 0; left--) {
      Count count = COUNTS[Varint.readAtMost(COUNTS.length - 1, source)];
      pane.add(count, Varint.read(source));
    }
    for (int left = entries(source); left > 0; left--) {
      Timing timing = TIMINGS[Varint.readAtMost(TIMINGS.length - 1, source)];
      pane.take(timing, DurationSketch.readFrom(source));
    }
    if (source.readBoolean()) {
      pane.take(FitBins.readFrom(source));
    }
    for (int left = entries(source); left > 0; left--) {
      pane.noteLoss(source.readUTF(), Varint.read(source));
    }
    for (int left = entries(source); left > 0; left--) {
      pane.noteGpu(source.readUTF(), readGpu(source));
    }
    return pane;
  }

  private static GpuSample readGpu(DataInputView source) throws IOException {
    return new GpuSample(
        source.readLong(),
        Varint.read(source),
        Varint.read(source),
        SOURCES[Varint.readAtMost(SOURCES.length - 1, source)]);
  }

  private static int entries(DataInputView source) throws IOException {
    return Varint.readAtMost(MAX_ENTRIES, source);
  }

  @Override
  public Pane deserialize(Pane reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public Pane copy(Pane from) {
    return from.copy();
  }

  @Override
  public Pane copy(Pane from, Pane reuse) {
    return from.copy();
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public TypeSerializer<Pane> duplicate() {
    return this;
  }

  @Override
  public Pane createInstance() {
    return new Pane();
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PaneSerializer;
  }

  @Override
  public int hashCode() {
    return PaneSerializer.class.hashCode();
  }

  @Override
  public TypeSerializerSnapshot<Pane> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Version 1 is the only format so far. */
  public static final class Snapshot implements TypeSerializerSnapshot<Pane> {

    private static final int VERSION = 1;

    private int version = VERSION;

    @Override
    public int getCurrentVersion() {
      return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) {
      // The version says it all.
    }

    @Override
    public void readSnapshot(int readVersion, DataInputView in, ClassLoader classLoader) {
      version = readVersion;
    }

    @Override
    public TypeSerializer<Pane> restoreSerializer() {
      return new PaneSerializer();
    }

    @Override
    public TypeSerializerSchemaCompatibility<Pane> resolveSchemaCompatibility(
        TypeSerializerSnapshot<Pane> old) {
      return old instanceof Snapshot snapshot && snapshot.version <= VERSION
          ? TypeSerializerSchemaCompatibility.compatibleAsIs()
          : TypeSerializerSchemaCompatibility.incompatible();
    }
  }
}
