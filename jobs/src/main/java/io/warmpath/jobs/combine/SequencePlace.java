package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.PaneKey;

/**
 * Where a record stands in its writer's numbering.
 *
 * @param key whose figures its gaps and copies add to
 * @param lane tells the numberings of one key apart
 * @param incarnation start of the numbering; a later one begins again from 0
 * @param seq number of the record
 * @param part which of several parts of that number; 0 for the only one
 */
public record SequencePlace(PaneKey key, int lane, long incarnation, long seq, int part) {}
