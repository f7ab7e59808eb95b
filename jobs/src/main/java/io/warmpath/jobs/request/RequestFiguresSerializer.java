package io.warmpath.jobs.request;

import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.types.ImmutableSerializer;
import io.warmpath.schemas.request.Outcome;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Figures field by field, for the rare case that a source is not chained to its reader. */
public final class RequestFiguresSerializer extends ImmutableSerializer<RequestFigures> {

  private static final long serialVersionUID = 1L;

  private static final RequestFigures.Type[] TYPES = RequestFigures.Type.values();
  private static final Outcome[] OUTCOMES = Outcome.values();

  @Override
  public void serialize(RequestFigures figures, DataOutputView target) throws IOException {
    target.writeByte(figures.type().ordinal());
    target.writeLong(figures.eventTimeMs());
    target.writeLong(figures.fingerprint());
    target.writeUTF(figures.key().model());
    target.writeUTF(figures.key().policy());
    target.writeUTF(figures.key().replica());
    target.writeBoolean(figures.routerRun() != null);
    if (figures.routerRun() != null) {
      target.writeUTF(figures.routerRun());
    }
    target.writeLong(figures.eventsDropped());
    target.writeBoolean(figures.stream());
    target.writeBoolean(figures.hasReplica());
    target.writeLong(figures.promptTokens());
    target.writeLong(figures.chosenCachedTokens());
    target.writeLong(figures.bestCachedTokens());
    target.writeLong(figures.bestAdmissibleCachedTokens());
    target.writeLong(figures.seenTokens());
    target.writeLong(figures.backlogTokens());
    target.writeLong(figures.ttftUs());
    target.writeLong(figures.upstreamTtftUs());
    target.writeByte(figures.outcome() == null ? -1 : figures.outcome().ordinal());
    target.writeLong(figures.cachedTokens());
    target.writeLong(figures.e2eUs());
  }

  @Override
  public RequestFigures deserialize(DataInputView source) throws IOException {
    return new RequestFigures(
        TYPES[source.readByte()],
        source.readLong(),
        source.readLong(),
        new PaneKey(source.readUTF(), source.readUTF(), source.readUTF()),
        source.readBoolean() ? source.readUTF() : null,
        source.readLong(),
        source.readBoolean(),
        source.readBoolean(),
        source.readLong(),
        source.readLong(),
        source.readLong(),
        source.readLong(),
        source.readLong(),
        source.readLong(),
        source.readLong(),
        source.readLong(),
        outcome(source.readByte()),
        source.readLong(),
        source.readLong());
  }

  private static Outcome outcome(byte ordinal) {
    return ordinal < 0 ? null : OUTCOMES[ordinal];
  }

  @Override
  public TypeSerializerSnapshot<RequestFigures> snapshotConfiguration() {
    return new Snapshot();
  }

  /** The serializer has nothing to remember but its class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<RequestFigures> {
    public Snapshot() {
      super(RequestFiguresSerializer::new);
    }
  }
}
