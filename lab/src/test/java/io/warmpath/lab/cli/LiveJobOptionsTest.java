package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.routing.control.ControlConfig;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class LiveJobOptionsTest {

  @Command
  private static final class Asked {
    @Mixin private KafkaOptions kafka;
    @Mixin private LiveJobOptions liveJobs;
  }

  @Test
  void bothBacklogSharesReachTheLaw() {
    Asked asked = new Asked();
    new CommandLine(asked)
        .parseArgs(
            "--bootstrap-servers",
            "127.0.0.1:9092",
            "--backlog-share",
            "0.1",
            "--uneven-backlog-share",
            "0.3");
    ControlConfig control = asked.liveJobs.weights(asked.kafka).control();
    assertEquals(0.1, control.backlogShare());
    assertEquals(0.3, control.unevenBacklogShare());
    assertEquals(0.1, asked.liveJobs.stats(asked.kafka).backlogShare());
  }
}
