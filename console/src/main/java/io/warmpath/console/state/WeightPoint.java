package io.warmpath.console.state;

/**
 * A replica's published weight at a time.
 *
 * @param t epoch of the weights, epoch milliseconds
 * @param weight share relative to the mean of 1
 */
public record WeightPoint(long t, double weight) {}
