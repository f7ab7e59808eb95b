package io.warmpath.console.export;

import java.io.IOException;

/**
 * nginx, through a file that its {@code upstream} includes and a reload. Reloads are at least an
 * interval apart, as each starts new workers while the old ones end their requests: of changes that
 * come sooner, the last one is taken at the end of the interval.
 */
final class NginxTarget implements RouterTarget {

  private final FileTarget file;
  private final ReloadCommand reload;
  private final long intervalMs;
  private long nextReloadMs;

  /**
   * @param file the included file
   * @param reload how nginx is told
   * @param intervalMs least time between two reloads
   */
  NginxTarget(FileTarget file, ReloadCommand reload, long intervalMs) {
    this.file = file;
    this.reload = reload;
    this.intervalMs = intervalMs;
  }

  @Override
  public WeightScale scale() {
    return file.scale();
  }

  @Override
  public String render(RouterWeights weights) {
    return file.render(weights);
  }

  @Override
  public boolean apply(RouterWeights weights, long nowMs) throws IOException {
    // A clock that was set back must not make it wait for longer.
    if (nowMs < nextReloadMs && nextReloadMs - nowMs <= intervalMs) {
      return false;
    }
    file.apply(weights, nowMs);
    // Also after a failure: whatever is wrong, it is not tried without end.
    nextReloadMs = nowMs + intervalMs;
    reload.run();
    return true;
  }

  @Override
  public boolean holds(RouterWeights applied) throws IOException {
    return file.holds(applied);
  }
}
