package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.CheckpointFigures;
import io.warmpath.bench.contender.WindowFigures;
import java.util.List;

/**
 * What a process measured.
 *
 * @param processed events behind the contender at the end
 * @param eventsPerSecond over the last nine tenths of the topic, once warm
 * @param cpuMicrosPerEvent processor time of the process over the same events; the broker's is not
 *     in it
 * @param checkpoints the last checkpoint, taken when all was read
 * @param windows windows that it found
 */
record MeasuredRun(
    long processed,
    double eventsPerSecond,
    double cpuMicrosPerEvent,
    CheckpointFigures checkpoints,
    List<WindowFigures> windows) {}
