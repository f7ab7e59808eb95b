package io.warmpath.lab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.screen.Table;
import io.warmpath.lab.stack.FleetAdmin;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a running replica misbehave. */
@Command(
    name = "fault",
    description = {
      "Makes a running replica misbehave, or shows how it is told to.",
      "What is not named stays as it is. Names: speed, drift_ms, stall_ms, reject_share,"
          + " reject_status, crash_requests, crash_after_tokens, lose_batches, duplicate_batches,"
          + " reorder_batches, restart; docs/replica.md says what each does."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath fault replica-3                                  what is set",
      "  warmpath fault replica-3 speed=0.5 drift_ms=60000         half as fast within a minute",
      "  warmpath fault replica-3 crash_requests=1 crash_after_tokens=5",
      "  warmpath fault replica-3 restart=true"
    })
final class FaultCommand implements Runnable {

  @Mixin private RunningReplica replica;

  @Parameters(
      index = "1..*",
      paramLabel = "NAME=VALUE",
      arity = "0..*",
      description = "Faults to set.")
  private Map<String, String> faults = Map.of();

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    FleetAdmin fleet = replica.fleet();
    String name = replica.name();
    JsonNode state = faults.isEmpty() ? fleet.faults(name) : fleet.setFaults(name, faults);
    Table table = new Table().row(List.of(name, ""));
    state.properties().forEach(f -> table.row(List.of(f.getKey(), f.getValue().asText())));
    table.lines().forEach(Screen.of(spec)::line);
  }
}
