package io.warmpath.jobs.source;

/**
 * A Kafka record as the source hands it on: either what it says or why it says nothing.
 *
 * @param <T> the records of the topic
 */
public sealed interface Inbound<T> {

  /**
   * A record that was understood.
   *
   * @param topic where it lay
   * @param partition likewise
   * @param offset likewise
   * @param eventTimeMs the time it counts at: its own, or its Kafka record's where it was ahead
   * @param skewed whether its own time was ahead of its Kafka record's
   * @param value what it says
   */
  record Parsed<T>(
      String topic, int partition, long offset, long eventTimeMs, boolean skewed, T value)
      implements Inbound<T> {}

  /**
   * A record that was refused.
   *
   * @param refusal where it lay and why
   */
  record Malformed<T>(Refusal refusal) implements Inbound<T> {}
}
