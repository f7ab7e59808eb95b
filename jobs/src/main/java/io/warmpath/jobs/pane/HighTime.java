package io.warmpath.jobs.pane;

/**
 * One partition's highest event time, as state holds it.
 *
 * @param topic topic
 * @param partition partition
 * @param highMs highest event time accepted
 */
public record HighTime(String topic, int partition, long highMs) {}
