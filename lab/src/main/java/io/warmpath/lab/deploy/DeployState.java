package io.warmpath.lab.deploy;

import java.util.List;

/**
 * What a deployment has done so far, as far as another process must know it to bring it to an end.
 *
 * @param v version of this record
 * @param job the job
 * @param target the cluster
 * @param step what is under way
 * @param old the version that publishes before the cut
 * @param candidate the version that is to
 * @param trialJobId the candidate's job beside the running one; null before
 * @param checkSavepoint savepoint that the candidate begins with; null before
 * @param savepointFolder where savepoints go; null for the cluster's own folder
 * @param cutTriggerId what the cut's savepoint is asked for by; null before
 * @param cutSavepoint where that lies; null before
 * @param bootstrapServers brokers as they are reached from here; null for the job's own
 */
record DeployState(
    int v,
    DeployedJob job,
    String target,
    Step step,
    Version old,
    Version candidate,
    String trialJobId,
    String checkSavepoint,
    String savepointFolder,
    String cutTriggerId,
    String cutSavepoint,
    String bootstrapServers) {

  static final int V = 1;

  /**
   * A version of a job.
   *
   * @param jobId its job in Flink; null if it has none yet
   * @param jarId its jar on the cluster; null if it is not there
   * @param parallelism its parallelism
   * @param arguments its options
   */
  record Version(String jobId, String jarId, int parallelism, List<String> arguments) {

    Version withJob(String id) {
      return new Version(id, jarId, parallelism, arguments);
    }

    Version withJar(String id) {
      return new Version(jobId, id, parallelism, arguments);
    }
  }

  static DeployState of(DeployOptions options, Version old, Version candidate) {
    return new DeployState(
        V,
        options.job(),
        options.target().toString(),
        Step.PLAN,
        old,
        candidate,
        null,
        null,
        options.savepointFolder(),
        null,
        null,
        options.bootstrapServers());
  }

  DeployState at(Step next) {
    return copy(next, old, candidate, trialJobId, checkSavepoint, cutTriggerId, cutSavepoint);
  }

  DeployState withCheckSavepoint(String location) {
    return copy(step, old, candidate, trialJobId, location, cutTriggerId, cutSavepoint);
  }

  DeployState withOld(Version version) {
    return copy(step, version, candidate, trialJobId, checkSavepoint, cutTriggerId, cutSavepoint);
  }

  DeployState withCandidate(Version version) {
    return copy(step, old, version, trialJobId, checkSavepoint, cutTriggerId, cutSavepoint);
  }

  DeployState withTrial(String jobId) {
    return copy(step, old, candidate, jobId, checkSavepoint, cutTriggerId, cutSavepoint);
  }

  DeployState withCutTrigger(String id) {
    return copy(step, old, candidate, trialJobId, checkSavepoint, id, cutSavepoint);
  }

  DeployState withCutSavepoint(String location) {
    return copy(step, old, candidate, trialJobId, checkSavepoint, cutTriggerId, location);
  }

  private DeployState copy(
      Step newStep,
      Version newOld,
      Version newCandidate,
      String newTrial,
      String newCheck,
      String newTrigger,
      String newCut) {
    return new DeployState(
        v,
        job,
        target,
        newStep,
        newOld,
        newCandidate,
        newTrial,
        newCheck,
        savepointFolder,
        newTrigger,
        newCut,
        bootstrapServers);
  }
}
