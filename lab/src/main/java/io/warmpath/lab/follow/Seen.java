package io.warmpath.lab.follow;

/**
 * A record as it was read.
 *
 * @param value the record
 * @param timestampMs its Kafka timestamp, epoch milliseconds
 */
public record Seen<T>(T value, long timestampMs) {}
