package io.warmpath.lab.verify;

import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.WeightsJobConfig;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What is verified.
 *
 * @param kafka properties of Kafka clients
 * @param stats configuration of the stats job, as it ran
 * @param weights configuration of the weights job, as it ran
 * @param fromMs only events that were written then or later
 * @param toMs only events that were written before that
 * @param parallelisms parallelisms to replay at; what was published is compared with the first
 */
public record VerifyOptions(
    Map<String, Object> kafka,
    StatsJobConfig stats,
    WeightsJobConfig weights,
    OptionalLong fromMs,
    OptionalLong toMs,
    List<Integer> parallelisms) {

  private static final int MAX_PARALLELISM = 16;

  public VerifyOptions {
    kafka = Map.copyOf(kafka);
    parallelisms = List.copyOf(parallelisms);
    if (parallelisms.isEmpty()
        || parallelisms.stream().anyMatch(each -> each < 1 || each > MAX_PARALLELISM)) {
      throw new IllegalArgumentException(
          "--parallelism: each must be from 1 to " + MAX_PARALLELISM + ", not " + parallelisms);
    }
    if (fromMs.isPresent() && toMs.isPresent() && fromMs.getAsLong() >= toMs.getAsLong()) {
      throw new IllegalArgumentException("--from must be before --to");
    }
  }

  int mostParallelism() {
    return parallelisms.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }
}
