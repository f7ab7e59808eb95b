package io.warmpath.console.state;

/**
 * How sound the events of a window were, in events.
 *
 * @param late merged after their bound
 * @param dropped beyond the allowed lateness, and so missing from the figures
 * @param skewed ahead of the time of their record
 * @param duplicates seen before, and so left out
 * @param lostAtBalancer never sent, as the balancers report
 */
public record EventQuality(
    long late, long dropped, long skewed, long duplicates, long lostAtBalancer) {}
