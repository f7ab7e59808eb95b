package io.warmpath.jobs.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.jobs.combine.RememberedPartition;
import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.GpuSample;
import io.warmpath.jobs.pane.KeyedPane;
import io.warmpath.jobs.pane.KeyedPaneSerializer;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.pane.PaneSerializer;
import io.warmpath.jobs.pane.Timing;
import io.warmpath.jobs.request.RequestFigures;
import io.warmpath.jobs.request.RequestFiguresSerializer;
import io.warmpath.jobs.request.RequestForm;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.InboundSerializer;
import io.warmpath.jobs.source.Refusal;
import io.warmpath.jobs.testing.Request;
import io.warmpath.jobs.weights.ControlStateSerializer;
import io.warmpath.jobs.window.RowPlace;
import io.warmpath.jobs.window.WrittenRow;
import io.warmpath.routing.control.ControlState;
import io.warmpath.routing.control.ReplicaControl;
import io.warmpath.routing.control.SpeedFit;
import io.warmpath.schemas.DeadLetter;
import io.warmpath.schemas.cache.ReplicaTelemetry.Source;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bytes of every serializer that is written by hand, and of what savepoints say of it, are
 * those in {@code serializers/}, and are read again: state of an older build would be lost
 * otherwise.
 *
 * <p>{@code -Dserializers.write=true} writes them anew. That is right only together with a new
 * number of the format, or before a release has written any.
 */
class GoldenSerializersTest {

  private static final Path GOLDEN = Path.of("src/test/resources/serializers");
  private static final long T = 1_796_083_200_000L;

  /** A value, and the serializer that writes it. */
  record Sample<T>(String name, TypeSerializer<T> serializer, T value) {

    @Override
    public String toString() {
      return name;
    }

    /** A line for the serializer's snapshot and one for the value, in hexadecimal digits. */
    private List<String> lines() throws IOException {
      DataOutputSerializer snapshot = new DataOutputSerializer(64);
      TypeSerializerSnapshot.writeVersionedSnapshot(snapshot, serializer.snapshotConfiguration());
      return List.of(hex(snapshot), hex(serializer, value));
    }
  }

  static List<Sample<?>> samples() {
    return List.of(
        new Sample<>("pane", new PaneSerializer(), pane()),
        new Sample<>(
            "keyed-pane",
            new KeyedPaneSerializer(),
            new KeyedPane(new PaneKey("m", "*", "r"), T, pane())),
        new Sample<>("control-state", new ControlStateSerializer(), control()),
        new Sample<>("control-state.initial", new ControlStateSerializer(), ControlState.INITIAL),
        new Sample<>("refusal", new Refusal.Serializer(), refusal(new byte[] {1, 2})),
        new Sample<>("refusal.no-key", new Refusal.Serializer(), refusal(null)),
        new Sample<>("request-figures.finished", new RequestFiguresSerializer(), finished()),
        new Sample<>(
            "request-figures.rejected",
            new RequestFiguresSerializer(),
            RequestFigures.of(Request.of("req-2", T).rejected().finished())),
        new Sample<>(
            "request-figures.attempt-failed",
            new RequestFiguresSerializer(),
            RequestFigures.of(Request.of("req-3", T).lost(9).attemptFailed())),
        new Sample<>(
            "inbound.parsed",
            inboundSerializer(),
            new Inbound.Parsed<>("llm.requests", 3, 41, T, true, finished())),
        new Sample<>(
            "inbound.malformed",
            inboundSerializer(),
            new Inbound.Malformed<>(refusal(new byte[] {1, 2}))),
        new Sample<>(
            "written-row",
            new WrittenRow.Serializer(),
            new WrittenRow(
                "m", new RowPlace(T + 60_000, 60_000, "*", "r"), true, new byte[] {'{', '}'})),
        new Sample<>("json", new JsonSerializer<>(RecordKind.ROUTING_WEIGHTS), weights()),
        partition());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void theBytesAreTheGoldenOnesAndAreReadAgain(Sample<?> sample) throws IOException {
    Path file = GOLDEN.resolve(sample.name() + ".txt");
    if (Boolean.getBoolean("serializers.write")) {
      Files.write(file, sample.lines());
    }
    List<String> golden = Files.readAllLines(file);
    assertEquals(golden, sample.lines());
    assertEquals(golden.get(1), readAndWrittenAgain(golden));
  }

  @Test
  void noSerializerIsLeftOut() throws Exception {
    Set<Class<?>> covered =
        samples().stream()
            .map(sample -> sample.serializer().getClass())
            .collect(Collectors.toSet());
    List<Class<?>> all = serializers();
    assertTrue(all.contains(PaneSerializer.class), all::toString);
    assertEquals(Set.copyOf(all), covered);
  }

  /** Reads a value by the serializer that its snapshot names, as a restored job does. */
  private static <T> String readAndWrittenAgain(List<String> golden) throws IOException {
    TypeSerializerSnapshot<T> snapshot =
        TypeSerializerSnapshot.readVersionedSnapshot(
            input(golden.get(0)), GoldenSerializersTest.class.getClassLoader());
    TypeSerializer<T> serializer = snapshot.restoreSerializer();
    DataInputDeserializer in = input(golden.get(1));
    T value = serializer.deserialize(in);
    assertEquals(0, in.available());
    return hex(serializer, value);
  }

  private static DataInputDeserializer input(String hex) {
    return new DataInputDeserializer(HexFormat.of().parseHex(hex));
  }

  private static <T> String hex(TypeSerializer<T> serializer, T value) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(value, out);
    return hex(out);
  }

  private static String hex(DataOutputSerializer out) {
    return HexFormat.of().formatHex(out.getCopyOfBuffer());
  }

  /** All serializers of the module. */
  private static List<Class<?>> serializers() throws IOException, URISyntaxException {
    Path classes =
        Path.of(PaneSerializer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith(".class"))
          .map(name -> name.replace(".class", "").replace('/', '.'))
          .<Class<?>>map(GoldenSerializersTest::load)
          .filter(TypeSerializer.class::isAssignableFrom)
          .filter(type -> !Modifier.isAbstract(type.getModifiers()))
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, GoldenSerializersTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Pane pane() {
    Pane pane = new Pane();
    pane.add(Count.REQUESTS, 3);
    pane.add(Count.AVOIDABLE_TOKENS, 300);
    pane.add(Timing.E2E, 1_000);
    pane.addFitSample(64, 5_000);
    pane.noteLoss("b@1", 7);
    pane.noteGpu("r", new GpuSample(1, 2, 3, Source.MODELLED));
    return pane;
  }

  private static ControlState control() {
    return new ControlState(
        T,
        new SpeedFit(1_000, 50.5),
        List.of(
            new ReplicaControl("a", 1.25, new SpeedFit(2_000, 70), T + 60_000, 0, 1),
            new ReplicaControl("b", 0.75, null, 0, T - 10_000, 0)));
  }

  private static Refusal refusal(byte[] key) {
    return new Refusal(
        key, DeadLetter.of("llm.requests", 1, 2, Reason.NOT_JSON, "no", new byte[] {3}));
  }

  private static RequestFigures finished() {
    return RequestFigures.of(
        Request.of("req-1", T).predicted(160, 320, 480, 640).backlog(77).cached(160L).finished());
  }

  private static TypeSerializer<Inbound<RequestFigures>> inboundSerializer() {
    return InboundSerializer.typeOf(RequestForm.FIGURES)
        .createSerializer(new SerializerConfigImpl());
  }

  private static RoutingWeights weights() {
    return new RoutingWeights("m", T, T + 30_000, T, 0.25, null, List.of(), List.of());
  }

  @SuppressWarnings("unchecked") // Both come from one place, which knows the type.
  private static Sample<?> partition() {
    return new Sample<>(
        "partition",
        (TypeSerializer<Object>) RememberedPartition.serializer(),
        RememberedPartition.at(T));
  }
}
