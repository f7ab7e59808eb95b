package io.warmpath.bench.flink;

import io.warmpath.bench.contender.CheckpointFigures;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * Flink's own counters of the job in this process, as a reporter sees them: all jobs are measured
 * alike and none is changed for it.
 */
public final class JobMetrics implements MetricReporter {

  private static final Map<Metric, String> METRICS = new ConcurrentHashMap<>();

  /** Asked for all the time, so they are not looked for among all the others. */
  private static final List<Counter> RECORDS_READ = new CopyOnWriteArrayList<>();

  /** Makes the reporter by Flink's rules. */
  public static final class Factory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new JobMetrics();
    }
  }

  /** Adds the reporter to a cluster's configuration. */
  static void report(Configuration configuration) {
    configuration.setString("metrics.reporters", "bench");
    configuration.setString("metrics.reporter.bench.factory.class", Factory.class.getName());
  }

  @Override
  public void open(MetricConfig config) {
    METRICS.clear();
    RECORDS_READ.clear();
  }

  @Override
  public void close() {
    METRICS.clear();
    RECORDS_READ.clear();
  }

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    String operator = group.getAllVariables().getOrDefault("<operator_name>", "");
    METRICS.put(metric, name);
    if (readsRequests(operator) && name.equals("numRecordsOut")) {
      RECORDS_READ.add((Counter) metric);
    }
  }

  /** The stats job has more sources than this one. */
  private static boolean readsRequests(String operator) {
    return operator.startsWith("Source: ") && operator.contains("requests");
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    METRICS.remove(metric);
    if (metric instanceof Counter) {
      RECORDS_READ.remove(metric);
    }
  }

  /** Events that the job's source of them has handed on. */
  static long recordsRead() {
    long read = 0;
    for (Counter counter : RECORDS_READ) {
      read += counter.getCount();
    }
    return read;
  }

  /** The job's checkpoints. */
  static CheckpointFigures checkpoints() {
    return new CheckpointFigures(
        gauge("numberOfCompletedCheckpoints"),
        gauge("lastCheckpointFullSize"),
        gauge("lastCheckpointDuration"));
  }

  private static long gauge(String name) {
    return METRICS.entrySet().stream()
        .filter(named(name))
        .mapToLong(entry -> ((Number) ((Gauge<?>) entry.getKey()).getValue()).longValue())
        .max()
        .orElse(0);
  }

  private static Predicate<Map.Entry<Metric, String>> named(String name) {
    return entry -> entry.getValue().equals(name);
  }
}
