package io.warmpath.lab.deploy;

import io.warmpath.lab.deploy.DeployState.Version;
import io.warmpath.lab.flink.FlinkRest;
import io.warmpath.lab.flink.FlinkRest.Job;
import io.warmpath.lab.flink.FlinkRestException;
import io.warmpath.lab.flink.Incompatibility;
import io.warmpath.lab.flink.OperatorStates;
import io.warmpath.lab.flink.StateComparison;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.verify.KafkaLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Brings a new version of a job onto a cluster.
 *
 * <pre>
 *  plan ─▶ check ─▶ trial ─▶ compare ─▶ cut ─▶ start ─▶ verify ─▶ clean up: deployed
 *   │        │        │         │        │       │        │
 *   └────────┴────────┴─────────┘        └───────┴────────┘
 *     failed or refused: the running       roll back: the old version goes on
 *     job was never touched                from the savepoint of the cut
 * </pre>
 *
 * <p>The candidate's trial goes on over the cut: what it gives is what the new version has to
 * publish, without a window lost or doubled. Before each step the journal says which one it is.
 */
public final class Deployment {

  private static final Duration POLL = Duration.ofMillis(500);
  private static final String NO_START = "the candidate does not start on the cluster: ";

  private final DeployOptions options;
  private final DeployedJob job;
  private final JobControl jobs;
  private final Journal journal;
  private final Recovery recovery;
  private final StepLog steps;
  private final Findings findings = new Findings();
  private DeployState state;
  private List<ResultComparison> comparisons = List.of();

  /** What was found on the way. */
  private static final class Findings {
    private List<Incompatibility> incompatible = List.of();
    private List<String> stateChanges = List.of();
    private ResultDifference difference;
  }

  /** A deployment that tells its steps to a screen. */
  public Deployment(DeployOptions options, Screen screen) {
    this.options = options;
    job = options.job();
    jobs = new JobControl(new FlinkRest(options.target()), job, options.patience());
    journal = new Journal(options.journal());
    steps = new StepLog(screen, options.compareFor(), options.verifyFor());
    recovery = new Recovery(jobs, journal, steps);
  }

  /**
   * Looks at the cluster and at the candidate by itself, and touches nothing.
   *
   * @throws IllegalStateException if an earlier deployment has come to no end
   */
  public DeployReport plan() throws InterruptedException {
    requireNoneUnderWay();
    try {
      Optional<Job> running = look();
      steps.begin(Step.CHECK);
      try (TrialTopics topics = new TrialTopics(options.kafka());
          CandidateProbe probe = probe(topics)) {
        probe.declared();
      }
      steps.end("the candidate builds and starts here, without state");
      return report(Outcome.PLANNED, null, running.map(Job::id).orElse(null));
    } catch (IOException | JobFailed | RuntimeException e) {
      steps.end(message(e));
      return report(Outcome.FAILED, message(e), null);
    }
  }

  /**
   * Deploys. Interrupted, it brings what it began to an end before it returns.
   *
   * @throws IllegalStateException if an earlier deployment has come to no end
   */
  public DeployReport run() throws InterruptedException {
    requireNoneUnderWay();
    try {
      Optional<Job> running = look();
      if (running.isEmpty()) {
        return first();
      }
      try (KafkaLog kafka = new KafkaLog(options.kafka());
          TrialTopics topics = new TrialTopics(options.kafka())) {
        return deploy(kafka, topics);
      }
    } catch (IOException | JobFailed | RuntimeException e) {
      return notTouched(Outcome.FAILED, message(e));
    }
  }

  private void requireNoneUnderWay() {
    journal
        .read()
        .ifPresent(
            left -> {
              throw new IllegalStateException(
                  "an earlier deployment of %s stopped at the step '%s' (%s). Go on with: %s"
                      .formatted(
                          job, left.step(), journal.file(), Recovery.command(left, journal)));
            });
  }

  /** What runs, and whether there is room and a way back. */
  private Optional<Job> look() throws IOException, InterruptedException, JobFailed {
    steps.begin(Step.PLAN);
    if (!Files.isReadable(options.jar())) {
      throw new JobFailed("--jar: cannot read " + options.jar());
    }
    FlinkRest rest = jobs.rest();
    List<Job> found =
        jobs.publishing().stream()
            .filter(each -> options.jobId() == null || each.id().equals(options.jobId()))
            .toList();
    if (found.size() > 1) {
      throw new JobFailed(
          "%d jobs named '%s' run at %s; name one by --job-id"
              .formatted(found.size(), job.flinkName(), rest.address()));
    }
    if (found.isEmpty()) {
      lookForFirst();
      return Optional.empty();
    }
    if (options.initialState() != null) {
      throw new JobFailed(
          "--initial-state: is for a cluster without the job; %s runs there"
              .formatted(found.get(0).id()));
    }
    Job running = found.get(0);
    int parallelism =
        options.parallelism() == 0 ? rest.parallelism(running.id()) : options.parallelism();
    int free = rest.freeSlots();
    if (free < parallelism) {
      throw new JobFailed(
          "the candidate needs %d free slot(s) beside the running job, and %s has %d"
              .formatted(parallelism, rest.address(), free));
    }
    Optional<String> oldJar = jobs.jarOf(running.id());
    if (oldJar.isEmpty() && options.previousJar() == null) {
      throw new JobFailed(
          "--previous-jar: must be given, to go back to if need be: the cluster does not know"
              + " which jar the running job came from");
    }
    if (options.previousJar() != null && !Files.isReadable(options.previousJar())) {
      throw new JobFailed("--previous-jar: cannot read " + options.previousJar());
    }
    Version old =
        new Version(
            running.id(),
            oldJar.orElse(null),
            rest.parallelism(running.id()),
            oldArguments(running));
    state =
        DeployState.of(
            options, old, new Version(null, null, parallelism, options.arguments().list()));
    steps.end(
        "%s is %s, parallelism %d, on Flink %s; %d slot(s) free"
            .formatted(running.id(), running.state(), old.parallelism(), rest.version(), free));
    return Optional.of(running);
  }

  private void lookForFirst() throws IOException, InterruptedException, JobFailed {
    if (options.initialState() == null) {
      throw new JobFailed(
          "no job named '%s' runs at %s; to start it there, say from what: --initial-state %s|SAVEPOINT"
              .formatted(job.flinkName(), jobs.rest().address(), DeployOptions.EMPTY));
    }
    state =
        DeployState.of(
            options,
            null,
            new Version(
                JobControl.newId(),
                null,
                Math.max(1, options.parallelism()),
                options.arguments().list()));
    steps.end("no job named '" + job.flinkName() + "' runs there");
  }

  private List<String> oldArguments(Job running) throws IOException, InterruptedException {
    return jobs.optionsOf(running.id())
        .map(recorded -> JobArguments.parse(recorded).withSecretsOf(options.arguments()).list())
        .orElseGet(() -> options.arguments().list());
  }

  private CandidateProbe probe(TrialTopics topics) throws InterruptedException {
    return CandidateProbe.start(job, options.jar(), options.arguments(), topics.partitions());
  }

  /** There is nothing to compare with and nothing to go back to. */
  private DeployReport first() throws IOException, InterruptedException, JobFailed {
    steps.begin(Step.START);
    Version version = state.candidate().withJar(upload(options.jar()));
    String savepoint =
        options.initialState().equals(DeployOptions.EMPTY) ? null : options.initialState();
    jobs.start(version, savepoint);
    try {
      jobs.awaitStarted(version.jobId());
    } catch (JobFailed e) {
      jobs.cancel(version.jobId());
      throw e;
    }
    steps.end("job " + version.jobId() + " runs");
    return report(Outcome.DEPLOYED, null, version.jobId());
  }

  private DeployReport deploy(KafkaLog kafka, TrialTopics topics)
      throws IOException, InterruptedException {
    try {
      check(kafka, topics);
      trial();
      compare();
    } catch (Refusal e) {
      return undo(topics, Outcome.REFUSED, e.getMessage());
    } catch (IOException | JobFailed | RuntimeException e) {
      return undo(topics, Outcome.FAILED, message(e));
    } catch (InterruptedException e) {
      return undo(topics, Outcome.FAILED, "interrupted");
    }
    try {
      cut();
      start();
      verify();
    } catch (IOException | JobFailed | Refusal | RuntimeException e) {
      return settle(topics, message(e));
    } catch (InterruptedException e) {
      return settle(topics, "interrupted");
    }
    return cleanUp(topics);
  }

  private void check(KafkaLog kafka, TrialTopics topics)
      throws IOException, InterruptedException, JobFailed, Refusal {
    begin(Step.CHECK);
    try (CandidateProbe probe = probe(topics)) {
      steps.progress("running it without state");
      Map<OperatorID, OperatorStates> declared =
          orRefused(probe::declared, "the candidate does not start: ");
      topics.delete(job, options.arguments().group(job));
      topics.create(job, topics.partitions());
      comparisons = job.compared().stream().map(each -> comparison(kafka, each)).toList();
      String savepoint = takeSavepoint();
      comparisons.forEach(ResultComparison::beginAfterThis);
      StateComparison compared = StateComparison.between(understood(probe, savepoint), declared);
      findings.incompatible = compared.incompatible();
      findings.stateChanges = compared.changes();
      if (!compared.incompatible().isEmpty()) {
        throw new Refusal("incompatible state: " + compared.incompatible().get(0));
      }
      steps.progress("running it on the savepoint");
      orRefused(
          () -> {
            probe.restore(savepoint);
            return true;
          },
          "the candidate does not go on from the savepoint: ");
    }
    steps.end("compatible" + changes());
  }

  private ResultComparison comparison(KafkaLog kafka, ResultTopic topic) {
    return new ResultComparison(
        topic,
        new TopicResults(kafka, topic, ""),
        new TopicResults(kafka, topic, job.trialSuffix()),
        options.expected());
  }

  private String takeSavepoint() throws IOException, InterruptedException, JobFailed {
    steps.progress("taking a savepoint of the running job");
    String trigger = JobControl.newId();
    jobs.rest().triggerSavepoint(state.old().jobId(), trigger, options.savepointFolder());
    String savepoint = jobs.awaitSavepoint(state.old().jobId(), trigger);
    note(state.withCheckSavepoint(savepoint));
    return savepoint;
  }

  private static Map<OperatorID, OperatorStates> understood(CandidateProbe probe, String savepoint)
      throws JobFailed {
    try {
      return probe.understood(savepoint);
    } catch (IOException e) {
      throw new JobFailed(
          "the savepoint %s cannot be read from here (%s); give a --savepoint-directory that both the cluster and this machine reach"
              .formatted(savepoint, message(e)));
    }
  }

  private interface Attempt<T> {
    T run() throws IOException;
  }

  private static <T> T orRefused(Attempt<T> attempt, String what) throws IOException, Refusal {
    try {
      return attempt.run();
    } catch (IllegalStateException e) {
      throw new Refusal(what + message(e));
    }
  }

  private String changes() {
    return findings.stateChanges.isEmpty() ? "" : "; " + String.join(", ", findings.stateChanges);
  }

  private void trial() throws IOException, InterruptedException, JobFailed, Refusal {
    begin(Step.TRIAL);
    if (state.old().jarId() == null) {
      note(state.withOld(state.old().withJar(upload(options.previousJar()))));
    }
    note(state.withCandidate(state.candidate().withJar(upload(options.jar()))));
    String trial = JobControl.newId();
    note(state.withTrial(trial));
    try {
      jobs.startTrial(state.candidate(), trial, state.checkSavepoint());
      jobs.awaitStarted(trial);
    } catch (FlinkRestException e) {
      if (e.status() == FlinkRestException.NO_ANSWER) {
        throw e;
      }
      throw new Refusal(NO_START + message(e));
    } catch (JobFailed e) {
      throw new Refusal(NO_START + message(e));
    }
    steps.end("job " + trial + " runs beside it, with topics that end with " + job.trialSuffix());
  }

  private void compare() throws InterruptedException, Refusal, JobFailed, IOException {
    begin(Step.COMPARE);
    if (options.compareFor().isZero()) {
      steps.end("left out (--compare-for 0s)");
      return;
    }
    long deadline = System.nanoTime() + options.patience().toNanos();
    while (!comparisons.stream().allMatch(ResultComparison::isInStep)) {
      requireEqual();
      jobs.requireNoFailure(state.trialJobId());
      if (System.nanoTime() > deadline) {
        throw new Refusal(
            "nothing could be compared: the candidate and the running job did not both publish a"
                + " window within %d s; is there traffic?"
                    .formatted(options.patience().toSeconds()));
      }
      pause("waiting until it has caught up");
    }
    long end = System.nanoTime() + options.compareFor().toNanos();
    long last = end + options.patience().toNanos();
    while (System.nanoTime() < end || different() > 0) {
      requireEqual();
      jobs.requireNoFailure(state.trialJobId());
      if (System.nanoTime() > last) {
        throw new Refusal(different() + " results differ, and neither side goes on");
      }
      pause("%,d results equal, %,d in doubt".formatted(equal(), different()));
    }
    requireAlive(state.old().jobId());
    for (ResultComparison each : comparisons) {
      if (each.equal() == 0) {
        throw new Refusal(
            "nothing could be compared on " + each.topicName() + "; give a longer --compare-for");
      }
    }
    steps.end("%,d results equal".formatted(equal()));
  }

  private void requireAlive(String jobId) throws IOException, InterruptedException, JobFailed {
    if (!jobs.isAlive(jobId)) {
      throw new JobFailed("the running job " + jobId + " has ended meanwhile");
    }
  }

  private void requireEqual() throws Refusal {
    for (ResultComparison each : comparisons) {
      Optional<ResultDifference> found = each.compare();
      if (found.isPresent()) {
        findings.difference = found.get();
        throw new Refusal("results differ: " + found.get());
      }
    }
  }

  private void cut() throws IOException, InterruptedException, JobFailed {
    begin(Step.CUT);
    String trigger = JobControl.newId();
    note(state.withCutTrigger(trigger));
    jobs.rest().triggerStop(state.old().jobId(), trigger, options.savepointFolder());
    note(state.withCutSavepoint(jobs.awaitSavepoint(state.old().jobId(), trigger)));
    jobs.awaitEnded(state.old().jobId());
    comparisons.forEach(ResultComparison::cutHere);
    steps.end(state.cutSavepoint());
  }

  private void start() throws IOException, InterruptedException, JobFailed {
    begin(Step.START);
    note(state.withCandidate(state.candidate().withJob(JobControl.newId())));
    jobs.start(state.candidate(), state.cutSavepoint());
    jobs.awaitStarted(state.candidate().jobId());
    steps.end("job " + state.candidate().jobId() + " runs");
  }

  private void verify() throws IOException, InterruptedException, JobFailed, Refusal {
    begin(Step.VERIFY);
    long enoughMs = options.verifyFor().toMillis();
    long deadline = System.nanoTime() + options.verifyFor().plus(options.patience()).toNanos();
    do {
      requireEqual();
      for (ResultComparison each : comparisons) {
        Optional<String> doubled = each.doubled();
        if (doubled.isPresent()) {
          throw new Refusal(doubled.get() + " came twice on " + each.topicName());
        }
      }
      jobs.requireNoFailure(state.candidate().jobId());
      if (System.nanoTime() > deadline) {
        throw new Refusal(
            "the new version did not publish %d s of windows in time"
                .formatted(options.verifyFor().toSeconds()));
      }
      pause("%,d results equal".formatted(verified()));
    } while (different() > 0
        || comparisons.stream().anyMatch(each -> each.afterCutMs() < enoughMs));
    steps.end("%,d results after the cut are the candidate's".formatted(verified()));
  }

  private DeployReport cleanUp(TrialTopics topics) {
    begin(Step.CLEAN_UP);
    String left = recovery.cleanUp(state, topics, options.arguments().group(job));
    steps.end(left.isEmpty() ? "nothing is left of the trial" : left);
    return report(Outcome.DEPLOYED, left.isEmpty() ? null : left, state.candidate().jobId());
  }

  /** Before the cut: whatever the candidate left goes, the running job does not notice. */
  private DeployReport undo(TrialTopics topics, Outcome outcome, String reason) {
    // Whoever interrupted it wants it gone, and this is how it goes.
    Thread.interrupted();
    steps.end(reason);
    steps.begin(Step.CLEAN_UP);
    String left = recovery.cleanUp(state, topics, options.arguments().group(job));
    steps.end(left.isEmpty() ? "nothing is left of the candidate" : left);
    return report(outcome, left.isEmpty() ? reason : reason + "; " + left, state.old().jobId());
  }

  /** After it: one version is to publish, and the new one has not shown that it can. */
  private DeployReport settle(TrialTopics topics, String reason) {
    steps.end(reason);
    Recovery.Settled settled = recovery.settle(state, topics, options.arguments().group(job));
    return report(
        settled.outcome(),
        settled.reason() == null ? reason : reason + "; " + settled.reason(),
        settled.runningJobId());
  }

  private DeployReport notTouched(Outcome outcome, String reason) {
    steps.end(reason);
    return report(
        outcome, reason, state == null || state.old() == null ? null : state.old().jobId());
  }

  private void begin(Step next) {
    note(state.at(next));
    steps.begin(next);
  }

  private void note(DeployState next) {
    state = next;
    journal.write(next);
  }

  private String upload(Path jar) throws IOException, InterruptedException {
    String name = "warmpath-" + job + "-" + fingerprint(jar) + ".jar";
    Optional<String> there =
        jobs.rest().jars().stream().filter(id -> id.endsWith("_" + name)).findFirst();
    return there.isPresent() ? there.get() : jobs.rest().upload(jar, name);
  }

  /** The same jar is kept once. */
  private static String fingerprint(Path jar) throws IOException {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha256.digest(Files.readAllBytes(jar));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private long equal() {
    return comparisons.stream().mapToLong(ResultComparison::equal).sum();
  }

  private long verified() {
    return comparisons.stream().mapToLong(ResultComparison::equalAfterCut).sum();
  }

  private long different() {
    return comparisons.stream().mapToLong(ResultComparison::different).sum();
  }

  private void pause(String progress) throws InterruptedException {
    steps.progress(progress);
    TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
  }

  private DeployReport report(Outcome outcome, String reason, String runningJobId) {
    return new DeployReport(
        job,
        options.target().toString(),
        outcome,
        reason,
        steps.done(),
        runningJobId,
        state == null ? null : state.cutSavepoint(),
        findings.incompatible,
        findings.stateChanges,
        equal() - verified(),
        findings.difference,
        verified(),
        journal.read().map(left -> Recovery.command(left, journal)).orElse(null));
  }

  static String message(Exception e) {
    if (e instanceof InterruptException) {
      return "interrupted";
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
