package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.CheckpointFigures;
import io.warmpath.bench.contender.WindowFigures;
import java.util.List;
import java.util.Map;

/**
 * What a process measured.
 *
 * @param processed events behind the contender at the end
 * @param eventsPerSecond over the last nine tenths of the topic, once warm
 * @param cpuMicrosPerEvent processor time of the process over the same events; the broker's is not
 *     in it
 * @param cpuMicrosByUser the same time by who used it
 * @param allocatedBytesPerEvent bytes allocated on the heap for one event
 * @param checkpoints the last checkpoint, taken when all was read
 * @param windows windows that it found
 */
record MeasuredRun(
    long processed,
    double eventsPerSecond,
    double cpuMicrosPerEvent,
    Map<CpuUser, Double> cpuMicrosByUser,
    double allocatedBytesPerEvent,
    CheckpointFigures checkpoints,
    List<WindowFigures> windows) {}
