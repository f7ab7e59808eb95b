package io.warmpath.lab.truth;

/** What an event must count as. */
public enum Arrival {
  /** In its windows. */
  ON_TIME,
  /** In those of its record's timestamp, as its own time is too far ahead. */
  AHEAD,
  /** In its windows, and as late. */
  LATE,
  /** In none; as dropped where its partition stood. */
  DROPPED,
  /** In none; as a duplicate. */
  COPY
}
