package io.warmpath.lab.demo;

import io.warmpath.lab.founding.Band;
import java.util.List;

/**
 * All figures of a demo.
 *
 * @param seed what the workload was generated from
 * @param profile profile of the replicas
 * @param timeScale how many times faster than the model it ran
 * @param replicas number of replicas
 * @param arms what each policy gave
 * @param bands where the model puts the p95 ratios
 * @param slowdown the last act
 * @param promises what should hold, and whether it does
 * @param seconds how long all of it took
 */
public record DemoReport(
    long seed,
    String profile,
    double timeScale,
    int replicas,
    List<ArmFigures> arms,
    List<RatioBand> bands,
    SlowdownFigures slowdown,
    List<Promise> promises,
    double seconds) {

  /**
   * Where round-robin's p95 over a policy's lies over many seeds in virtual time.
   *
   * @param policy the policy
   * @param runs number of seeds
   * @param band 5th, 50th and 95th percentile
   * @param measured what this demo gave
   * @param measuredInside whether it lies inside
   * @param published what was published for prefix-aware routing
   * @param publishedInside whether that lies inside: a finding, not a promise
   */
  public record RatioBand(
      String policy,
      int runs,
      Band band,
      double measured,
      boolean measuredInside,
      double published,
      boolean publishedInside) {}

  /**
   * Something that should hold.
   *
   * @param claim what
   * @param held whether it did
   * @param found the figure
   */
  public record Promise(String claim, boolean held, String found) {}
}
