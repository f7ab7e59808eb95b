package io.warmpath.lab.simulate;

import java.util.List;

/**
 * The runs of several policies over one trace, for machines.
 *
 * @param trace name of the trace
 * @param engine {@code fifo} or {@code batched}
 * @param runs one of each policy, in the order asked for
 */
public record SimulationReport(String trace, String engine, List<SimulationRun> runs) {}
