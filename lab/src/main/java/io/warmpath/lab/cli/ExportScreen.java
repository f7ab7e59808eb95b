package io.warmpath.lab.cli;

import io.warmpath.console.export.ExportListener;
import io.warmpath.console.export.ExportStatus;
import io.warmpath.console.export.FleetShares;
import io.warmpath.console.export.RouterTarget;
import io.warmpath.console.export.RouterWeight;
import io.warmpath.console.export.RouterWeights;
import io.warmpath.lab.screen.Screen;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what an export does: a line for each change, and the file for machines. */
final class ExportScreen implements ExportListener {

  private static final Logger LOG = LoggerFactory.getLogger(ExportCommand.class);

  private final Screen screen;
  private final RouterTarget router;
  private final boolean dryRun;
  private final Path json;
  private ExportStatus written;

  /**
   * @param dryRun whether what the router would be given is all that is printed
   * @param json file for machines, or null
   */
  ExportScreen(Screen screen, RouterTarget router, boolean dryRun, Path json) {
    this.screen = screen;
    this.router = router;
    this.dryRun = dryRun;
    this.json = json;
  }

  /** A line; in a dry run only to the log, as the output may go on to another program. */
  void say(String line) {
    LOG.info(line);
    if (!dryRun) {
      screen.line(line);
    }
  }

  private void warn(String line) {
    LOG.warn(line);
    if (!dryRun) {
      screen.line(line);
    }
  }

  @Override
  public void onLease(FleetShares shares) {
    switch (shares.lease()) {
      case IN_FORCE -> say("epoch " + shares.epoch() + ": weights are in force");
      case OVER ->
          warn("the lease of epoch " + shares.epoch() + " is over: all replicas are equal now");
      case NONE -> warn("no weights are published: all replicas are equal");
    }
  }

  @Override
  public void onApplied(RouterWeights weights) {
    if (dryRun) {
      screen.line(router.render(weights).stripTrailing());
      return;
    }
    say(
        "epoch %d: %s"
            .formatted(
                weights.shares().epoch(),
                weights.replicas().stream()
                    .map(ExportScreen::text)
                    .collect(Collectors.joining(", "))));
  }

  private static String text(RouterWeight one) {
    String basis = one.share().basis().name().toLowerCase(Locale.ROOT);
    return "%s %d (%.3f %s)"
        .formatted(one.replica().name(), one.weight(), one.share().weight(), basis);
  }

  @Override
  public void onFailure(String reason) {
    warn("not applied, trying again: " + reason);
  }

  @Override
  public void onUnmapped(List<String> replicas) {
    warn(
        replicas.isEmpty()
            ? "the map has all published replicas again"
            : "published, but not in the map and left alone: " + String.join(", ", replicas));
  }

  /** Writes the file for machines, if there is one and something changed. */
  void write(ExportStatus status) throws IOException {
    if (json != null && !status.equals(written)) {
      JsonFile.write(json, status);
      written = status;
    }
  }
}
