package io.warmpath.lab.verify;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Why the log does not say what a published record should be. */
public enum Reason {
  /** It holds time from which events are gone, or lie before what was asked for. */
  @JsonProperty("log_begins")
  LOG_BEGINS("the log begins within or just before"),
  /** Its balancer counted losses before the log begins. */
  @JsonProperty("loss_unknown")
  LOSS_UNKNOWN("a balancer lost events before the log begins"),
  /** Events that the job had not yet read, or that came later, touch it. */
  @JsonProperty("not_closed")
  NOT_CLOSED("not closed yet"),
  /** A partition came back with events from before what the job keeps. */
  @JsonProperty("back_after_retention")
  BACK_AFTER_RETENTION("a partition came back after panes were gone"),
  /** Only a provisional record was published. */
  @JsonProperty("no_final_record")
  NO_FINAL_RECORD("only a provisional record"),
  /** What the law remembered is gone with the rows that it read. */
  @JsonProperty("state_unknown")
  STATE_UNKNOWN("the law's memory is from before the rows begin"),
  /** The job had not decided yet. */
  @JsonProperty("not_decided")
  NOT_DECIDED("not decided yet");

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  /** The same for people. */
  public String text() {
    return text;
  }
}
