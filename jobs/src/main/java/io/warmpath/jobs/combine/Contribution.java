package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.PaneKey;
import java.io.Serializable;

/**
 * What the records of a topic add to panes.
 *
 * @param <T> what was read of a record
 */
public interface Contribution<T> extends Serializable {

  /** Whether records can be told from copies of others. */
  default boolean tellsCopies() {
    return false;
  }

  /** What a record shares with its copies, and with no other one but by a rare chance. */
  default long fingerprint(T record) {
    throw new UnsupportedOperationException("copies are not told");
  }

  /** Where the record stands in its writer's numbering, null where it has none. */
  default SequencePlace placeOf(T record) {
    return null;
  }

  /** Whose figures the record adds to. */
  PaneKey keyOf(T record);

  /** Adds the record's figures to the panes of its time. */
  void add(T record, PaneKey key, OpenPanes.Second panes);
}
