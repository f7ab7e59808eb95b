package io.warmpath.jobs.pane;

import io.warmpath.schemas.WarmpathRecord;
import java.io.Serializable;

/**
 * What the records of a topic add to panes.
 *
 * @param <T> the records
 */
public interface Contribution<T extends WarmpathRecord> extends Serializable {

  /** Whose figures the record adds to. */
  PaneKey keyOf(T record);

  /** Adds the record's figures to the panes of its time. */
  void add(T record, PaneKey key, OpenPanes.Second panes);
}
