package io.warmpath.bench.flink;

import io.warmpath.bench.contender.Setup;
import io.warmpath.jobs.RoutingStatsJob;
import io.warmpath.jobs.config.StatsJobConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The routing-stats job as it is deployed, from Kafka to Kafka. */
public final class StatsJob {

  private StatsJob() {}

  /**
   * Adds it to an environment.
   *
   * @param options options of the job that are not as by default
   */
  public static void attach(StreamExecutionEnvironment env, Setup setup, String... options) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--bootstrap-servers", setup.bootstrapServers(),
                "--group-id", setup.name(),
                "--checkpoint-interval", setup.checkpointIntervalMs() + "ms"));
    all.addAll(Arrays.asList(options));
    RoutingStatsJob.attach(env, StatsJobConfig.parse(all.toArray(String[]::new)));
  }
}
