package io.warmpath.lab.flink;

import java.util.List;
import java.util.Map;

/**
 * How a job is started from a jar that a cluster has.
 *
 * @param jarId the jar, as {@link FlinkRest#upload} named it
 * @param jobId the job's id to be, 32 hex digits: so it is known even if the answer is lost
 * @param entryClass its main class
 * @param parallelism default parallelism
 * @param arguments arguments of the main class
 * @param savepoint where it goes on from; null for an empty state
 * @param leftState what is done with state that no operator takes
 * @param parameters what the job carries for those who ask for it, shown by Flink
 */
public record RunRequest(
    String jarId,
    String jobId,
    String entryClass,
    int parallelism,
    List<String> arguments,
    String savepoint,
    LeftState leftState,
    Map<String, String> parameters) {

  /** What is done with state that no operator takes. */
  public enum LeftState {
    REFUSED,
    DROPPED
  }

  public RunRequest {
    arguments = List.copyOf(arguments);
    parameters = Map.copyOf(parameters);
  }
}
