package io.warmpath.lab.deploy;

import io.warmpath.lab.flink.Incompatibility;
import java.util.List;

/**
 * How a deployment went.
 *
 * @param job the job
 * @param target the cluster
 * @param outcome how it ended
 * @param reason why, where it is not deployed; else null
 * @param steps what was done
 * @param runningJobId the job that publishes now; null if none is sure to
 * @param savepoint the savepoint that the new version began with; null if there is none
 * @param incompatible state that the candidate cannot take over
 * @param stateChanges state that is new or migrated
 * @param comparedResults results that were equal before the cut
 * @param difference the first result that was not; null if none
 * @param verifiedResults results of windows after the cut that were equal
 * @param goOn the command that brings it to an end; null if it is at one
 */
public record DeployReport(
    DeployedJob job,
    String target,
    Outcome outcome,
    String reason,
    List<Done> steps,
    String runningJobId,
    String savepoint,
    List<Incompatibility> incompatible,
    List<String> stateChanges,
    long comparedResults,
    ResultDifference difference,
    long verifiedResults,
    String goOn) {

  /**
   * A step that was done, or failed.
   *
   * @param step which
   * @param millis how long it took
   * @param result what came of it
   */
  public record Done(Step step, long millis, String result) {}
}
