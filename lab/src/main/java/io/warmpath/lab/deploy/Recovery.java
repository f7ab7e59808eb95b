package io.warmpath.lab.deploy;

import io.warmpath.lab.flink.FlinkRest;
import io.warmpath.lab.flink.FlinkRest.Job;
import io.warmpath.lab.flink.FlinkRestException;
import io.warmpath.lab.screen.Screen;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Brings what a deployment left to an end: nothing of the candidate, and one version that
 * publishes. That is the old one unless the new one was verified.
 */
public final class Recovery {

  /** What kept a version from starting, such as a busy cluster, may pass. */
  private static final int ROLL_BACK_TRIES = 3;

  private final JobControl jobs;
  private final Journal journal;
  private final StepLog steps;

  Recovery(JobControl jobs, Journal journal, StepLog steps) {
    this.jobs = jobs;
    this.journal = journal;
    this.steps = steps;
  }

  /**
   * How it ended.
   *
   * @param outcome the deployment's
   * @param reason what is to be said beyond; null for nothing
   * @param runningJobId the job that publishes; null if none is sure to
   */
  record Settled(Outcome outcome, String reason, String runningJobId) {}

  private interface Act {
    void run() throws IOException, InterruptedException, JobFailed;
  }

  /** The command that goes on from a state. */
  static String command(DeployState state, Journal journal) {
    String standard = Journal.fileFor(state.job(), URI.create(state.target())).toString();
    String file = journal.file().toString();
    return "warmpath deploy %s --target %s%s --recover"
        .formatted(state.job(), state.target(), file.equals(standard) ? "" : " --journal " + file);
  }

  /**
   * Takes the candidate away.
   *
   * @return what could not be taken away, and why; empty if nothing is left
   */
  String cleanUp(DeployState state, TrialTopics topics, String group) {
    List<String> left = new ArrayList<>();
    attempt(
        left,
        () -> {
          for (Job trial : jobs.trials()) {
            jobs.cancel(trial.id());
          }
        });
    if (!left.isEmpty()) {
      // It may still write: the journal stays, so that its topics are not forgotten.
      return "left of the candidate: " + String.join("; ", left);
    }
    attempt(left, () -> topics.delete(state.job(), group));
    if (state.checkSavepoint() != null) {
      attempt(left, () -> jobs.rest().disposeSavepoint(state.checkSavepoint()));
    }
    if (left.isEmpty()) {
      journal.delete();
      return "";
    }
    return "left of the candidate: " + String.join("; ", left);
  }

  private static void attempt(List<String> left, Act act) {
    try {
      act.run();
    } catch (IOException | JobFailed | RuntimeException e) {
      left.add(Deployment.message(e));
    } catch (InterruptedException e) {
      left.add("interrupted");
    }
  }

  /** Ends with one version that publishes. */
  Settled settle(DeployState state, TrialTopics topics, String group) {
    // From here on nobody is helped by stopping half way; kill -9 still does, and is recovered.
    Thread.interrupted();
    try {
      return settled(state, topics, group);
    } catch (IOException | JobFailed | RuntimeException e) {
      return unsettled(Deployment.message(e));
    } catch (InterruptedException e) {
      return unsettled("interrupted again");
    }
  }

  private Settled unsettled(String reason) {
    steps.end(reason);
    return new Settled(Outcome.UNSETTLED, reason, null);
  }

  private Settled settled(DeployState state, TrialTopics topics, String group)
      throws IOException, InterruptedException, JobFailed {
    DeployState known = state;
    if (known.step().isAfterCut() && known.cutSavepoint() == null) {
      known = known.withCutSavepoint(cutSavepoint(known).orElse(null));
    }
    if (jobs.isAlive(known.old().jobId())) {
      String left = cleaned(known, topics, group);
      return new Settled(
          known.step() == Step.ROLL_BACK ? Outcome.ROLLED_BACK : Outcome.FAILED,
          "the old version runs as before" + left,
          known.old().jobId());
    }
    if (!known.step().isAfterCut()) {
      return endedByItself(known, topics, group);
    }
    if (known.step() == Step.CLEAN_UP && jobs.isAlive(known.candidate().jobId())) {
      String left = cleaned(known, topics, group);
      return new Settled(
          Outcome.DEPLOYED, "the new version runs" + left, known.candidate().jobId());
    }
    return rollBack(known, topics, group);
  }

  /** Whoever stopped it had a reason: it is not for a candidate's sake that it is started again. */
  private Settled endedByItself(DeployState state, TrialTopics topics, String group)
      throws IOException, InterruptedException {
    String left = cleaned(state, topics, group);
    String ended = "the job that ran, " + state.old().jobId() + ", has ended meanwhile";
    List<Job> others = jobs.publishing();
    return others.isEmpty()
        ? new Settled(
            Outcome.UNSETTLED, ended + "; start it with --initial-state SAVEPOINT" + left, null)
        : new Settled(Outcome.FAILED, ended + ", and another runs" + left, others.get(0).id());
  }

  private String cleaned(DeployState state, TrialTopics topics, String group) {
    steps.begin(Step.CLEAN_UP);
    String left = cleanUp(state, topics, group);
    steps.end(left.isEmpty() ? "nothing is left of the candidate" : left);
    return left.isEmpty() ? "" : "; " + left;
  }

  /** The stop may have been under way when nobody could note where its savepoint lies. */
  private Optional<String> cutSavepoint(DeployState state)
      throws IOException, InterruptedException, JobFailed {
    String old = state.old().jobId();
    if (state.cutTriggerId() == null) {
      return Optional.empty();
    }
    if (jobs.rest().savepoint(old, state.cutTriggerId()).isEmpty()) {
      // Never asked for, or so long ago that the cluster only remembers it among the job's own.
      return jobs.isAlive(old) ? Optional.empty() : jobs.rest().lastSavepoint(old);
    }
    try {
      Optional<String> found = Optional.of(jobs.awaitSavepoint(old, state.cutTriggerId()));
      jobs.awaitEnded(old);
      return found;
    } catch (JobFailed e) {
      if (jobs.isAlive(old)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private Settled rollBack(DeployState state, TrialTopics topics, String group)
      throws IOException, InterruptedException, JobFailed {
    steps.begin(Step.ROLL_BACK);
    for (Job other : jobs.publishing()) {
      jobs.cancel(other.id());
    }
    // Without one of the cut, the check's: the same windows come out again, under the same keys.
    String savepoint = state.cutSavepoint() == null ? state.checkSavepoint() : state.cutSavepoint();
    if (savepoint == null) {
      throw new JobFailed(
          "no savepoint is known to start the old version from; look for one and give it with"
              + " --initial-state SAVEPOINT");
    }
    DeployState back = startedOld(state.at(Step.ROLL_BACK), savepoint);
    steps.end("job " + back.old().jobId() + " runs from " + savepoint);
    String left = cleaned(back, topics, group);
    return new Settled(
        Outcome.ROLLED_BACK, "the old version runs again" + left, back.old().jobId());
  }

  private DeployState startedOld(DeployState state, String savepoint)
      throws IOException, InterruptedException, JobFailed {
    for (int tries = 1; ; tries++) {
      DeployState back = state.withOld(state.old().withJob(JobControl.newId()));
      journal.write(back);
      try {
        jobs.start(back.old(), savepoint);
        jobs.awaitStarted(back.old().jobId());
        return back;
      } catch (FlinkRestException | JobFailed e) {
        if (tries == ROLL_BACK_TRIES) {
          throw e;
        }
        jobs.cancel(back.old().jobId());
      }
    }
  }

  /**
   * Brings an interrupted deployment to an end.
   *
   * @throws IllegalStateException if none was interrupted
   */
  public static DeployReport run(
      Journal journal, Screen screen, Duration patience, DeployedJob job) {
    DeployState state =
        journal
            .read()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "no deployment of %s was interrupted: there is no %s"
                            .formatted(job, journal.file())));
    StepLog steps = new StepLog(screen, Duration.ZERO, Duration.ZERO);
    JobControl jobs =
        new JobControl(new FlinkRest(URI.create(state.target())), state.job(), patience);
    JobArguments arguments = JobArguments.parse(state.candidate().arguments());
    Settled settled;
    try (TrialTopics topics = new TrialTopics(arguments.kafka(state.bootstrapServers()))) {
      settled =
          new Recovery(jobs, journal, steps).settle(state, topics, arguments.group(state.job()));
    }
    boolean back = settled.outcome() == Outcome.FAILED || settled.outcome() == Outcome.DEPLOYED;
    return new DeployReport(
        state.job(),
        state.target(),
        back ? Outcome.RECOVERED : settled.outcome(),
        settled.reason(),
        steps.done(),
        settled.runningJobId(),
        state.cutSavepoint(),
        List.of(),
        List.of(),
        0,
        null,
        0,
        journal.read().map(left -> command(left, journal)).orElse(null));
  }
}
