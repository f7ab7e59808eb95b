package io.warmpath.lab.cli;

import io.warmpath.lab.deploy.DeployOptions;
import io.warmpath.lab.deploy.DeployReport;
import io.warmpath.lab.deploy.DeployedJob;
import io.warmpath.lab.deploy.Deployment;
import io.warmpath.lab.deploy.ExpectedChange;
import io.warmpath.lab.deploy.JobArguments;
import io.warmpath.lab.deploy.Journal;
import io.warmpath.lab.deploy.Outcome;
import io.warmpath.lab.deploy.Recovery;
import io.warmpath.lab.screen.Screen;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Brings a new version of a job onto a Flink cluster. */
@Command(
    name = "deploy",
    description = {
      "Brings a new version of a job onto a Flink cluster, by its REST API.",
      "Runs the candidate here on a savepoint of the running job, and says which state it could not"
          + " take over; starts it on the cluster beside the running job, with topics and a consumer"
          + " group of its own; compares its windows with those published; stops the running job"
          + " with a savepoint, starts the new version from it, and compares its first windows. If"
          + " the new version does not hold, the old one is started again. Whatever happens, one"
          + " version publishes.",
      "What the job itself is to be told follows after --."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the new version runs (or nothing was to be done but looking)",
      "1:something failed; the running job is as it was",
      "2:used wrongly",
      "3:refused: state or results do not fit; the running job is as it was",
      "4:rolled back: the old version runs again",
      "5:nothing is sure to run: go on with --recover"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath deploy stats --target http://flink:8081 --jar warmpath-jobs.jar \\",
      "      -- --bootstrap-servers kafka:9092",
      "  warmpath deploy stats --target http://flink:8081 --jar new.jar --previous-jar old.jar \\",
      "      --expect-change ttft.p95_us,rps -- --bootstrap-servers kafka:9092 --bound 5s",
      "  warmpath deploy stats --target http://flink:8081 --jar new.jar --dry-run \\",
      "      -- --bootstrap-servers kafka:9092",
      "  warmpath deploy stats --target http://flink:8081 --recover"
    })
final class DeployCommand implements Callable<Integer> {

  private static final long RECOVERY_SECONDS = 120;

  @Parameters(index = "0", paramLabel = "stats|weights|shadow", description = "Which job.")
  private DeployedJob job;

  @Parameters(
      index = "1..*",
      paramLabel = "OPTION",
      description = "Options of the job itself, after --.")
  private List<String> arguments = List.of();

  @Option(
      names = "--target",
      paramLabel = "URL",
      required = true,
      description = "The Flink cluster's REST API, such as http://flink:8081.")
  private URI target;

  @Option(names = "--jar", paramLabel = "JAR", description = "The new version.")
  private Path jar;

  @Option(
      names = "--previous-jar",
      paramLabel = "JAR",
      description = {
        "The running version, to go back to. Not needed if that was deployed by this command, and"
            + " the cluster still has its jar."
      })
  private Path previousJar;

  @Option(
      names = "--expect-change",
      paramLabel = "FIELD,…",
      split = ",",
      description = "Fields of the results that may differ, added ones too; with all below them.")
  private List<String> expected = List.of();

  @Option(
      names = "--compare-for",
      paramLabel = "DURATION",
      defaultValue = "2m",
      description = "How long windows are compared; 0s to leave that out.")
  private String compareFor;

  @Option(
      names = "--verify-for",
      paramLabel = "DURATION",
      defaultValue = "20s",
      description = "Windows of so long are compared after the new version's start.")
  private String verifyFor;

  @Option(
      names = "--patience",
      paramLabel = "DURATION",
      defaultValue = "2m",
      description = "How long one thing may take: a savepoint, a start, the first window.")
  private String patience;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      defaultValue = "0",
      description = "Parallelism of the new version; 0 for that of the running one.")
  private int parallelism;

  @Option(
      names = "--savepoint-directory",
      paramLabel = "URI",
      description = {
        "Where savepoints go, reached from the cluster and from here; the cluster's own if not"
            + " given."
      })
  private String savepointDirectory;

  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT,…",
      description = "Kafka brokers as they are reached from here; the job's own if not given.")
  private String bootstrapServers;

  @Option(
      names = "--job-id",
      paramLabel = "ID",
      description = "The running job, where several have its name.")
  private String jobId;

  @Option(
      names = "--initial-state",
      paramLabel = "empty|SAVEPOINT",
      description = "Starts the job where none runs: the first time, or after a disaster.")
  private String initialState;

  @Option(names = "--dry-run", description = "Only looks, and says what would hinder.")
  private boolean dryRun;

  @Option(
      names = "--recover",
      description = "Brings an interrupted deployment to an end, with one version running.")
  private boolean recover;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = "What is under way; ~/.warmpath/deploy/JOB@TARGET.json if not given.")
  private Path journalFile;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes how it went there.")
  private Path json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonFile.requireWritable(json);
    requireUrl();
    Path journal = journalFile == null ? Journal.fileFor(job, target) : journalFile;
    Screen screen = Screen.of(spec);
    // Ctrl-C ends the JVM by its hooks: the deployment is told, and comes to an end before it goes.
    CountDownLatch ended = new CountDownLatch(1);
    Thread worker = Thread.currentThread();
    Thread hook = new Thread(() -> interrupt(worker, ended), "warmpath-deploy-interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      DeployReport report = report(journal, screen);
      show(report, screen);
      if (json != null) {
        JsonFile.write(json, report);
      }
      return report.outcome().exitCode();
    } finally {
      ended.countDown();
      removeHook(hook);
    }
  }

  private DeployReport report(Path journal, Screen screen) throws InterruptedException {
    if (recover) {
      return Recovery.run(new Journal(journal), screen, duration("--patience", patience), job);
    }
    Deployment deployment = new Deployment(options(journal), screen);
    return dryRun ? deployment.plan() : deployment.run();
  }

  private static void interrupt(Thread worker, CountDownLatch ended) {
    worker.interrupt();
    try {
      ended.await(RECOVERY_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It runs: the JVM is about to end.
    }
  }

  private DeployOptions options(Path journal) {
    if (jar == null) {
      throw new IllegalArgumentException("--jar: must be given");
    }
    return new DeployOptions(
        job,
        target,
        jar,
        previousJar,
        JobArguments.parse(arguments),
        bootstrapServers,
        savepointDirectory,
        parallelism,
        jobId,
        initialState,
        new ExpectedChange(expected),
        duration("--compare-for", compareFor),
        duration("--verify-for", verifyFor),
        duration("--patience", patience),
        journal);
  }

  private void requireUrl() {
    boolean http = "http".equals(target.getScheme()) || "https".equals(target.getScheme());
    if (!http || target.getHost() == null) {
      throw new IllegalArgumentException("--target: must be http://HOST:PORT, not " + target);
    }
  }

  private static Duration duration(String option, String text) {
    try {
      return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          option + ": must be a duration like 20s, 2m or 1h, not '" + text + "'", e);
    }
  }

  private static void show(DeployReport report, Screen screen) {
    report.incompatible().forEach(each -> screen.line("  incompatible: " + each));
    screen.line("");
    screen.line(
        "%s: %s%s"
            .formatted(
                report.job(),
                report.outcome(),
                report.reason() == null ? "" : ": " + report.reason()));
    if (report.runningJobId() != null && report.outcome() != Outcome.PLANNED) {
      screen.line("running: job " + report.runningJobId() + " at " + report.target());
    }
    if (report.goOn() != null) {
      screen.line("to go on: " + report.goOn());
    }
  }
}
