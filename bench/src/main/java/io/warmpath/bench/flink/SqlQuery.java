package io.warmpath.bench.flink;

import io.warmpath.bench.contender.Setup;
import io.warmpath.schemas.topic.Topics;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * The nearest thing that Flink SQL has: percentiles of the end-to-end time over sliding windows by
 * the same keys. It does less than the job: one kind of window, one distribution, no roll-ups, no
 * losses, no duplicates, and its rows go nowhere but to {@link SqlResults}.
 */
public final class SqlQuery {

  private static final String SOURCE =
      """
      CREATE TABLE requests (
        `type` STRING,
        event_time_ms BIGINT,
        model STRING,
        policy STRING,
        replica STRING,
        outcome STRING,
        e2e_us BIGINT,
        prompt_tokens BIGINT,
        cached_tokens BIGINT,
        event_time AS TO_TIMESTAMP_LTZ(event_time_ms, 3),
        WATERMARK FOR event_time AS event_time - INTERVAL '2' SECOND
      ) WITH (
        'connector' = 'kafka',
        'topic' = '%s',
        'properties.bootstrap.servers' = '%s',
        'properties.group.id' = '%s',
        'scan.startup.mode' = 'earliest-offset',
        'scan.watermark.idle-timeout' = '1s',
        'scan.watermark.alignment.group' = 'requests',
        'scan.watermark.alignment.max-drift' = '30s',
        'format' = 'json',
        'json.ignore-parse-errors' = 'true'
      )
      """;

  private static final String QUERY =
      """
      SELECT window_start, window_end, model, policy, replica,
        COUNT(*) AS requests, SUM(prompt_tokens) AS prompt_tokens,
        SUM(cached_tokens) AS cached_tokens, MAX(e2e_us) AS e2e_max_us,
        PERCENTILE(e2e_us, ARRAY[0.5, 0.9, 0.95, 0.99]) FILTER (WHERE outcome = 'ok') AS e2e_us
      FROM TABLE(
        HOP(TABLE requests, DESCRIPTOR(event_time), INTERVAL '5' SECOND, INTERVAL '60' SECOND))
      WHERE `type` = 'finished'
      GROUP BY window_start, window_end, model, policy, replica
      """;

  private SqlQuery() {}

  /** Adds it to an environment. */
  public static void attach(StreamExecutionEnvironment env, Setup setup) {
    env.getConfig().enableObjectReuse();
    env.enableCheckpointing(setup.checkpointIntervalMs());
    StreamTableEnvironment tables = StreamTableEnvironment.create(env);
    tune(tables.getConfig());
    tables.executeSql(SOURCE.formatted(Topics.REQUESTS, setup.bootstrapServers(), setup.name()));
    tables
        .toDataStream(tables.sqlQuery(QUERY))
        .flatMap(new SqlResults(), Types.VOID)
        .sinkTo(new DiscardingSink<>());
  }

  private static void tune(TableConfig config) {
    config.set("table.exec.mini-batch.enabled", "true");
    config.set("table.exec.mini-batch.allow-latency", "1s");
    config.set("table.exec.mini-batch.size", "50000");
    config.set("table.optimizer.agg-phase-strategy", "TWO_PHASE");
  }
}
