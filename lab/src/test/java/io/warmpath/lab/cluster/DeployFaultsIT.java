package io.warmpath.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.Await;
import io.warmpath.lab.cli.WarmpathCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code warmpath deploy} against a real cluster under load: all that may go wrong. */
@Tag("faults")
class DeployFaultsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int COMMAND_HEAP_MIB = 1_024;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  private DeployScene scene;

  @Test
  void onlyWhatHoldsFollowsAndNoWindowIsLostOrDoubled() throws Exception {
    try (DeployScene started = DeployScene.start(folder)) {
      scene = started;
      refuses(JobVariant.OTHER_SERIALIZER, "state panes of operator stats-ring: the candidate's");
      refuses(JobVariant.OTHER_UID, "operator stats-ring: it has state, and the candidate has no");
      refuses(
          JobVariant.OTHER_STATE_NAME,
          "state panes of operator stats-ring: the candidate's operator has no state of that name");
      refuses(JobVariant.ADDED_OUTPUT_FIELD, "results differ: field queue_ms of model-a|");
      refuses(
          JobVariant.OTHER_FIGURES,
          "results differ: field rps of model-a|",
          "--expect-change",
          "queue_ms");
      rollsBack();
      deploys(JobVariant.ADDED_STATE_FIELD);
      scene.assertEveryWindowIsTheTruth();
      scene.assertNoneCameTwice();
    }
  }

  @Test
  void aChangeThatIsNamedGoesThrough() throws Exception {
    try (DeployScene started = DeployScene.start(folder)) {
      scene = started;
      deploys(JobVariant.ADDED_OUTPUT_FIELD, "--expect-change", "queue_ms");
      scene.assertEveryWindowIsTheTruth();
      scene.assertNoneCameTwice();
    }
  }

  @Test
  void aVersionThatLosesWindowsIsFoundAndRolledBack() throws Exception {
    try (DeployScene started = DeployScene.start(folder)) {
      scene = started;
      DeployRun run = scene.deploy(JobVariant.LOSING_WINDOWS);

      assertEquals(4, run.exitCode(), run::output);
      assertTrue(run.output().contains("published nothing"), run::output);
      assertEquals(run.json().path("running_job_id").asText(), scene.runningJob());
      // The old version goes on from the cut, so that what was lost comes after all.
      scene.assertEveryWindowIsTheTruth();
    }
  }

  /** Whenever it is killed, its journal tells how to end with one version. */
  @ParameterizedTest
  @ValueSource(strings = {"TRIAL", "COMPARE", "CUT", "START", "VERIFY"})
  void killedAtAnyStepItIsRecovered(String step) throws Exception {
    try (DeployScene started = DeployScene.start(folder)) {
      scene = started;
      JavaProcess command = command(JobVariant.ADDED_STATE_FIELD);
      awaitStep(step);
      command.kill();

      DeployRun again = scene.deploy(ClassPath.jobsJar());
      assertEquals(1, again.exitCode(), again::output);
      assertTrue(again.output().contains("--recover"), again::output);

      DeployRun recovered = scene.recover();
      assertTrue(List.of(0, 4).contains(recovered.exitCode()), recovered::output);
      scene.runningJob();
      scene.assertEveryWindowIsTheTruth();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"COMPARE", "VERIFY"})
  void interruptedItLeavesTheOldVersion(String step) throws Exception {
    try (DeployScene started = DeployScene.start(folder)) {
      scene = started;
      JavaProcess command = command(JobVariant.ADDED_STATE_FIELD);
      awaitStep(step);
      command.interrupt(PATIENCE);

      assertTrue(command.output().contains("interrupted"), command::output);
      scene.runningJob();
      scene.assertEveryWindowIsTheTruth();
    }
  }

  private JavaProcess command(JobVariant variant) throws Exception {
    List<String> line = new ArrayList<>(List.of(WarmpathCommand.class.getName()));
    line.addAll(scene.line(variant.jar(folder)));
    return JavaProcess.start("deploy", folder, COMMAND_HEAP_MIB, ClassPath.all(), line);
  }

  private void awaitStep(String step) {
    Await.until(
        "the step " + step,
        PATIENCE,
        () ->
            Files.readString(scene.journal())
                .contains("\"step\" : \"" + step.toLowerCase(Locale.ROOT) + "\""));
  }

  private void refuses(JobVariant variant, String reason, String... options) throws Exception {
    String before = scene.runningJob();
    DeployRun run = scene.deploy(variant, options);
    assertEquals(3, run.exitCode(), run::output);
    assertTrue(run.output().contains(reason), run::output);
    assertEquals(before, scene.runningJob(), "the running job was touched");
  }

  private void rollsBack() throws Exception {
    String before = scene.runningJob();
    DeployRun run = scene.deploy(JobVariant.FAILING_START);
    assertEquals(4, run.exitCode(), run::output);
    assertTrue(run.output().contains("no start here"), run::output);
    assertNotEquals(before, scene.runningJob());
  }

  private void deploys(JobVariant variant, String... options) throws Exception {
    DeployRun run = scene.deploy(variant, options);
    assertEquals(0, run.exitCode(), run::output);
    assertEquals(run.json().path("running_job_id").asText(), scene.runningJob());
  }
}
