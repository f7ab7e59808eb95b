package io.warmpath.lab.founding;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A {@link FoundingStudy} for machines.
 *
 * @param workload name of the workload
 * @param engine name of the engine
 * @param profile name of the replicas' profile
 * @param replicas number of replicas
 * @param runs number of seeds
 * @param seed the first seed
 * @param publishedP95Ratio round-robin over prefix-aware
 * @param publishedRpsRatio prefix-aware over round-robin
 * @param published the published figures
 * @param policies what each policy gave
 */
public record FoundingReport(
    String workload,
    String engine,
    String profile,
    int replicas,
    int runs,
    long seed,
    double publishedP95Ratio,
    double publishedRpsRatio,
    List<PublishedFigures> published,
    List<PolicyReport> policies) {

  /**
   * One policy over all seeds.
   *
   * @param policy its name
   * @param p95Ratio round-robin's p95 of the time to first token over its own
   * @param rpsRatio its requests a second over round-robin's
   * @param warmTtftRatio round-robin's mean over turns 2 to 10 over its own
   * @param meanTtftUsByTurn mean by turn over all seeds
   * @param byRun figures of each seed, in order
   */
  public record PolicyReport(
      String policy,
      Band p95Ratio,
      Band rpsRatio,
      Band warmTtftRatio,
      List<Double> meanTtftUsByTurn,
      List<FoundingFigures> byRun) {}

  /** The report of a study. */
  public static FoundingReport of(FoundingStudy study, FoundingStudy.Plan plan) {
    List<PolicyReport> policies = new ArrayList<>();
    for (Map.Entry<String, List<FoundingFigures>> entry : study.byPolicy().entrySet()) {
      String policy = entry.getKey();
      policies.add(
          new PolicyReport(
              policy,
              study.p95Ratio(policy),
              study.rpsRatio(policy),
              study.warmRatio(policy),
              meanByTurn(study, policy),
              entry.getValue()));
    }
    return new FoundingReport(
        "founding",
        "batched",
        plan.profile().name(),
        plan.fleet().replicas(),
        plan.runs(),
        plan.firstSeed(),
        PublishedFigures.P95_RATIO,
        PublishedFigures.RPS_RATIO,
        List.of(PublishedFigures.ROUND_ROBIN, PublishedFigures.PREFIX_AWARE),
        policies);
  }

  static List<Double> meanByTurn(FoundingStudy study, String policy) {
    List<Double> means = new ArrayList<>();
    for (int turn = 0; turn < FoundingWorkload.TURNS; turn++) {
      int index = turn;
      means.add(study.mean(policy, figures -> figures.meanTtftUsByTurn().get(index)));
    }
    return means;
  }
}
