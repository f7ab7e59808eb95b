package io.warmpath.bridge.follow;

import java.util.concurrent.atomic.LongAdder;

/** What happened while an engine was followed. Any thread may read. */
public final class FollowCounts {

  /** Messages that were applied. */
  public final LongAdder messages = new LongAdder();

  /** Events in them. */
  public final LongAdder events = new LongAdder();

  /** Times that messages were missing. */
  public final LongAdder gaps = new LongAdder();

  /** Messages that could not be had any more. */
  public final LongAdder lost = new LongAdder();

  /** Messages that came more than once. */
  public final LongAdder duplicates = new LongAdder();

  /** Starts of the engine after the first. */
  public final LongAdder restarts = new LongAdder();

  /** Questions for missed messages. */
  public final LongAdder replays = new LongAdder();

  /** Questions that were not answered. */
  public final LongAdder failedReplays = new LongAdder();

  /** Messages that cannot be read. */
  public final LongAdder malformedMessages = new LongAdder();

  /** Events that cannot be read. */
  public final LongAdder malformedEvents = new LongAdder();

  /** Events of types that are not known. */
  public final LongAdder unknownEvents = new LongAdder();

  /** Fields that are not known. */
  public final LongAdder unknownFields = new LongAdder();
}
