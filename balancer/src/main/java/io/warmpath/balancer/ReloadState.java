package io.warmpath.balancer;

import io.warmpath.balancer.metrics.PrometheusText;
import java.util.List;

/** What became of reading the configuration again. Safe for concurrent use. */
public final class ReloadState {

  private long reloads;
  private long failures;
  private boolean lastFailed;
  private long lastSuccessMs;
  private List<String> needingRestart = List.of();

  /**
   * @param startedMs when the configuration was read at the start, epoch milliseconds
   */
  public ReloadState(long startedMs) {
    lastSuccessMs = startedMs;
  }

  /**
   * A changed configuration took effect.
   *
   * @param fieldsNeedingRestart paths of those that count only from the next start on
   */
  public synchronized void succeeded(long nowMs, List<String> fieldsNeedingRestart) {
    reloads++;
    lastFailed = false;
    lastSuccessMs = nowMs;
    needingRestart = List.copyOf(fieldsNeedingRestart);
  }

  /** A changed configuration was refused. */
  public synchronized void failed() {
    failures++;
    lastFailed = true;
  }

  /** Writes the metrics. */
  public synchronized void writeTo(PrometheusText text) {
    String all = "warmpath_config_reloads_total";
    text.metric(all, "counter", "Times that a changed configuration took effect.");
    text.sample(all, reloads);
    String failed = "warmpath_config_reload_failures_total";
    text.metric(failed, "counter", "Times that a changed configuration was refused.");
    text.sample(failed, failures);
    String last = "warmpath_config_last_reload_successful";
    text.metric(last, "gauge", "0 while the file is not what holds because it is refused.");
    text.sample(last, lastFailed ? 0 : 1);
    String when = "warmpath_config_last_success_timestamp_seconds";
    text.metric(when, "gauge", "When the configuration that holds was read.");
    text.sample(when, lastSuccessMs / 1e3);
    String restart = "warmpath_config_fields_needing_restart";
    text.metric(restart, "gauge", "Changed fields that count only from the next start on.");
    text.sample(restart, needingRestart.size());
  }
}
