package io.warmpath.jobs.pane;

/**
 * A pane on its way. Its sender does not touch the pane again.
 *
 * @param key whose figures
 * @param startMs first millisecond of the second that they are of
 * @param pane the figures, or some of them
 */
public record KeyedPane(PaneKey key, long startMs, Pane pane) {}
