package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.bench.contender.Setup;

/**
 * One measurement, for a process of its own.
 *
 * @param kind who is measured
 * @param setup what it is to do
 * @param warmUpMs the topic is read over and over until so much time is over, at least once
 * @param events events in the topic
 * @param windows windows that it must have finished when it has read everything
 * @param lastEndMs end of the last of them
 */
record Task(
    ContenderKind kind, Setup setup, long warmUpMs, long events, long windows, long lastEndMs) {}
