package io.warmpath.bridge.wire;

import java.util.List;

/**
 * One message of an engine.
 *
 * @param timeSeconds when it was made, epoch seconds of the engine's clock; whatever it claims
 * @param rank data-parallel rank, or {@link #NO_RANK} where it does not say
 * @param events what happened, in order
 * @param unknownEvents events of a type that is not known, left out
 * @param malformedEvents events of a known type, or of none, that cannot be read, left out
 * @param unknownFields fields that are not known, passed over
 */
public record EngineBatch(
    double timeSeconds,
    int rank,
    List<EngineEvent> events,
    int unknownEvents,
    int malformedEvents,
    int unknownFields) {

  /** Stands for a rank that the engine does not tell. */
  public static final int NO_RANK = -1;
}
