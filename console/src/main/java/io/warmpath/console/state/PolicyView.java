package io.warmpath.console.state;

/**
 * A policy on the page.
 *
 * @param live whether it had traffic in the newest window; else {@code row} is its busiest one
 * @param row its figures
 * @param baseline its figures beside round-robin's; null for round-robin, and where that has none
 */
public record PolicyView(boolean live, WindowRow row, Comparison baseline) {}
