package io.warmpath.lab.simulate;

import io.warmpath.replica.engine.Sequence;
import io.warmpath.replica.engine.SequenceListener;
import java.util.function.Consumer;

/** One request on its way through a {@link BatchedFleet}, from its routing to its last token. */
public final class ServedRequest implements SequenceListener {

  private static final long NOT_YET = -1;

  private final BatchedReplica home;
  private final Sequence sequence;
  private final long arrivalMicros;
  private final long uncachedTokens;
  private final long loadTokens;
  private final Consumer<ServedRequest> onFinished;
  private long firstTokenMicros = NOT_YET;
  private long finishedMicros = NOT_YET;

  ServedRequest(
      BatchedReplica home,
      FleetRequest request,
      long arrivalMicros,
      long uncachedTokens,
      long loadTokens,
      Consumer<ServedRequest> onFinished) {
    this.home = home;
    this.arrivalMicros = arrivalMicros;
    this.uncachedTokens = uncachedTokens;
    this.loadTokens = loadTokens;
    this.onFinished = onFinished;
    this.sequence =
        new Sequence(
            "", request.blockHashes(), request.promptTokens(), request.outputTokens(), this);
  }

  Sequence sequence() {
    return sequence;
  }

  /** Index of the replica that serves it. */
  public int replica() {
    return home.index();
  }

  public long arrivalMicros() {
    return arrivalMicros;
  }

  public int promptTokens() {
    return sequence.promptTokens();
  }

  public int outputTokens() {
    return sequence.outputTokens();
  }

  /** Prompt tokens that came from the replica's cache; known from the first token on. */
  public int cachedTokens() {
    return sequence.cachedTokens();
  }

  /** Arrival to first token; known once the request is finished. */
  public long ttftMicros() {
    return firstTokenMicros - arrivalMicros;
  }

  /** Arrival to last token; known once the request is finished. */
  public long endToEndMicros() {
    return finishedMicros - arrivalMicros;
  }

  /** When the last token was there. */
  public long finishedMicros() {
    return finishedMicros;
  }

  /** Uncached tokens as predicted when it was routed. */
  long uncachedTokens() {
    return uncachedTokens;
  }

  /** The load that explains its time to first token, as known when it was routed. */
  long loadTokens() {
    return loadTokens;
  }

  @Override
  public void onFirstToken(long timeUs) {
    firstTokenMicros = timeUs;
    home.firstToken(this);
  }

  @Override
  public void onFinished(long timeUs) {
    finishedMicros = timeUs;
    home.finished(this);
    onFinished.accept(this);
  }
}
