package io.warmpath.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code warmpath deploy} against a real cluster under load: the short of it. */
class DeployIT {

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  @Test
  void whatDoesNotFitIsRefusedAndWhatFitsFollowsWithoutAWindowLostOrDoubled() throws Exception {
    try (DeployScene scene = DeployScene.start(folder)) {
      String first = scene.runningJob();

      DeployRun refused = scene.deploy(JobVariant.OTHER_SERIALIZER);

      assertEquals(3, refused.exitCode(), refused::output);
      assertEquals("stats-ring", refused.json().at("/incompatible/0/operator").asText());
      assertEquals("panes", refused.json().at("/incompatible/0/state").asText());
      assertTrue(refused.output().contains("PaneSerializer"), refused::output);
      assertEquals(first, scene.runningJob());

      DeployRun deployed = scene.deploy(JobVariant.ADDED_STATE_FIELD);

      assertEquals(0, deployed.exitCode(), deployed::output);
      assertTrue(
          deployed.output().contains("state panes of stats-ring is migrated"), deployed::output);
      assertEquals(deployed.json().path("running_job_id").asText(), scene.runningJob());
      scene.assertEveryWindowIsTheTruth();
      scene.assertNoneCameTwice();
    }
  }
}
