package io.warmpath.lab.founding;

import io.warmpath.lab.simulate.FleetOptions;
import io.warmpath.replica.engine.EngineProfile;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The founding experiment over many seeds in virtual time, each policy on the same workloads.
 *
 * @param firstSeed seed of the first run; run i has seed firstSeed + i
 * @param byPolicy the runs of each policy, in order of their seeds
 */
public record FoundingStudy(long firstSeed, Map<String, List<FoundingFigures>> byPolicy) {

  /** What the other policies are compared with. */
  public static final String BASELINE = PublishedFigures.ROUND_ROBIN.policy();

  /** Profile of the replicas of the experiment. */
  public static final String PROFILE = "founding";

  /**
   * What to run.
   *
   * @param policies names, {@link #BASELINE} among them
   * @param runs seeds, at least 1
   * @param firstSeed the first seed
   * @param fleet replicas; its capacity is not used
   * @param profile engine of each replica
   */
  public record Plan(
      List<String> policies, int runs, long firstSeed, FleetOptions fleet, EngineProfile profile) {

    public Plan {
      policies = List.copyOf(policies);
      if (!policies.contains(BASELINE)) {
        throw new IllegalArgumentException("the study compares with " + BASELINE + ": name it");
      }
      if (runs < 1) {
        throw new IllegalArgumentException("runs must be at least 1: " + runs);
      }
    }

    /** The experiment as it was: four replicas at normal speed. */
    public static Plan of(List<String> policies, int runs, long firstSeed) {
      return new Plan(
          policies,
          runs,
          firstSeed,
          FleetOptions.of(FoundingWorkload.REPLICAS, 0),
          EngineProfile.load(PROFILE));
    }
  }

  /**
   * Runs all seeds of all policies, on all cores.
   *
   * @param onRun told, from any thread, after each run how many seeds are done
   */
  public static FoundingStudy run(Plan plan, IntConsumer onRun) {
    AtomicInteger done = new AtomicInteger();
    List<Map<String, FoundingFigures>> bySeed =
        IntStream.range(0, plan.runs())
            .parallel()
            .mapToObj(
                i -> {
                  Map<String, FoundingFigures> figures = oneSeed(plan, plan.firstSeed() + i);
                  onRun.accept(done.incrementAndGet());
                  return figures;
                })
            .toList();
    Map<String, List<FoundingFigures>> byPolicy = new LinkedHashMap<>();
    for (String policy : plan.policies()) {
      byPolicy.put(policy, bySeed.stream().map(figures -> figures.get(policy)).toList());
    }
    return new FoundingStudy(plan.firstSeed(), byPolicy);
  }

  /** Where the p95 ratio of one run lies: round-robin's p95 over the policy's, same seed. */
  public static Band p95RatioBand(String policy, int runs, long firstSeed) {
    return run(Plan.of(List.of(BASELINE, policy), runs, firstSeed), done -> {}).p95Ratio(policy);
  }

  private static Map<String, FoundingFigures> oneSeed(Plan plan, long seed) {
    FoundingWorkload workload = FoundingWorkload.generate(seed);
    Map<String, FoundingFigures> figures = new LinkedHashMap<>();
    for (String policy : plan.policies()) {
      figures.put(
          policy,
          FoundingFigures.of(
              FoundingSimulation.run(workload, plan.profile(), plan.fleet(), policy)));
    }
    return figures;
  }

  /** Number of seeds. */
  public int runs() {
    return byPolicy.get(BASELINE).size();
  }

  /** Round-robin's p95 of the time to first token over the policy's, of each seed. */
  public Band p95Ratio(String policy) {
    return ratio(BASELINE, policy, figures -> figures.ttftUs().p95());
  }

  /** The policy's requests a second over round-robin's, of each seed. */
  public Band rpsRatio(String policy) {
    return ratio(policy, BASELINE, FoundingFigures::rps);
  }

  /** Round-robin's mean time to first token of later turns over the policy's, of each seed. */
  public Band warmRatio(String policy) {
    return ratio(BASELINE, policy, FoundingFigures::warmMeanTtftUs);
  }

  /** One figure over all seeds. */
  public Band band(String policy, ToDoubleFunction<FoundingFigures> figure) {
    return Band.of(values(policy, figure));
  }

  /** Mean of one figure over all seeds. */
  public double mean(String policy, ToDoubleFunction<FoundingFigures> figure) {
    return Arrays.stream(values(policy, figure)).average().orElseThrow();
  }

  private Band ratio(
      String numerator, String denominator, ToDoubleFunction<FoundingFigures> figure) {
    double[] over = values(numerator, figure);
    double[] under = values(denominator, figure);
    return Band.of(IntStream.range(0, over.length).mapToDouble(i -> over[i] / under[i]).toArray());
  }

  private double[] values(String policy, ToDoubleFunction<FoundingFigures> figure) {
    return byPolicy.get(policy).stream().mapToDouble(figure).toArray();
  }
}
