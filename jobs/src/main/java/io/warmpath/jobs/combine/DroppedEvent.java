package io.warmpath.jobs.combine;

/**
 * An event that came too late to count, so that it can be looked up where it lies.
 *
 * @param topic where it lies
 * @param partition likewise
 * @param offset likewise
 * @param eventTimeMs when it happened
 * @param highMs the highest event time accepted from its partition before it
 */
public record DroppedEvent(
    String topic, int partition, long offset, long eventTimeMs, long highMs) {

  /** How far it lay behind its partition, ms. */
  public long behindMs() {
    return highMs - eventTimeMs;
  }
}
