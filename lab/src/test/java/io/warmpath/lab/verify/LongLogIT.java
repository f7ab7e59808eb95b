package io.warmpath.lab.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of 200,000 events, read by jobs that are killed three times and stopped three times. */
@Tag("faults")
class LongLogIT {

  private static final int RESTARTS = 6;

  @TempDir private static Path folder;

  @Test
  void aLongLogWithManyRestartsHasNoDifference() throws Exception {
    try (RestartedLog log = new RestartedLog(folder, 150, 75_000)) {
      for (int restart = 0; restart < RESTARTS; restart++) {
        log.write();
        int parallelism = 1 + restart % 2;
        if (restart % 2 == 0) {
          log.writeAndKill(parallelism);
        } else {
          log.stopAndGoOn(parallelism);
        }
      }
      log.write();
      assertTrue(log.records() >= 200_000, () -> "only " + log.records() + " records");

      JsonNode report = log.verify(0);
      System.out.print(log.output());

      assertEquals(
          log.records(), report.get("events").longValue() + report.get("refused").longValue());
      assertEquals(0, report.at("/differences").size());
      assertTrue(report.at("/decisions/compared").longValue() > 100, report::toPrettyString);
      long compared = report.at("/rows/compared").longValue();
      assertTrue(report.at("/rows/undetermined").longValue() < compared / 5, report::toString);
    }
  }
}
