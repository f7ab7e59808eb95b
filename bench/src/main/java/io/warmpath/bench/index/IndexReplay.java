package io.warmpath.bench.index;

import io.warmpath.bench.index.IndexScript.Step;
import io.warmpath.lab.trace.Trace;
import io.warmpath.routing.index.IndexBounds;
import io.warmpath.routing.index.PrefixIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Replays a trace against the prefix index in one thread, over and over, each time with an empty
 * one. A prompt of n blocks that is looked up counts as n block operations, as in the figures of
 * other indexes, though a look-up does not visit them all; a block stored or removed as one.
 */
public final class IndexReplay {

  private static final double NANOS = 1e9;

  private final IndexScript script;

  /**
   * @param capacityBlocks blocks that each replica holds; 0 = unbounded
   * @param blockTokens tokens of a block
   */
  public IndexReplay(Trace trace, int replicas, int capacityBlocks, int blockTokens) {
    script = new IndexScript(trace, replicas, capacityBlocks, blockTokens);
  }

  /**
   * What one way of use came to.
   *
   * @param passes how often the trace was replayed in the time measured
   * @param medianSeconds of a pass
   */
  public record Figures(
      String use, int passes, double medianSeconds, long askedBlocks, long changedBlocks) {

    /** Block operations of one pass. */
    public long operations() {
      return askedBlocks + changedBlocks;
    }

    public double operationsPerSecond() {
      return operations() / medianSeconds;
    }
  }

  /**
   * Measures for so many seconds, after as many to warm up.
   *
   * @throws IllegalStateException if the index does not find what the script says is cached
   */
  public List<Figures> measure(int seconds) {
    verify();
    List<Figures> figures = new ArrayList<>();
    figures.add(measure("cache events and look-ups", seconds, this::follow));
    figures.add(measure("the same and all that the balancer asks", seconds, this::route));
    return figures;
  }

  private void verify() {
    PrefixIndex index = empty();
    for (Step step : script.steps()) {
      String replica = script.names().get(step.replica());
      int found = index.cachedBlocks(step.prompt(), step.prompt().length, replica);
      if (found != step.cached()) {
        throw new IllegalStateException(
            "%s holds %d blocks of a prompt of %d, and the index says %d"
                .formatted(replica, step.cached(), step.prompt().length, found));
      }
      follow(index, step);
    }
  }

  private PrefixIndex empty() {
    PrefixIndex index = new PrefixIndex(IndexBounds.DEFAULTS);
    script.names().forEach(index::addReplica);
    return index;
  }

  private Figures measure(String use, int seconds, BiConsumer<PrefixIndex, Step> step) {
    passes(seconds, step);
    double[] measured = passes(seconds, step);
    Arrays.sort(measured);
    return new Figures(
        use,
        measured.length,
        measured[measured.length / 2],
        script.askedBlocks(),
        script.changedBlocks());
  }

  private double[] passes(int seconds, BiConsumer<PrefixIndex, Step> step) {
    List<Double> passes = new ArrayList<>();
    long end = System.nanoTime() + (long) (seconds * NANOS);
    do {
      PrefixIndex index = empty();
      long start = System.nanoTime();
      for (Step next : script.steps()) {
        step.accept(index, next);
      }
      passes.add((System.nanoTime() - start) / NANOS);
    } while (System.nanoTime() < end);
    return passes.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private void follow(PrefixIndex index, Step step) {
    index.cachedBlocks(step.prompt(), step.prompt().length, script.names());
    if (step.changes() != null) {
      index.apply(step.changes());
    }
  }

  private void route(PrefixIndex index, Step step) {
    index.cachedBlocks(step.prompt(), step.prompt().length, script.names());
    index.seenBlocks(step.prompt(), step.prompt().length);
    index.routed(step.prompt(), step.prompt().length, script.names().get(step.replica()));
    if (step.changes() != null) {
      index.apply(step.changes());
    }
  }
}
