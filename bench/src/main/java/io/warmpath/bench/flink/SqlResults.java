package io.warmpath.bench.flink;

import io.warmpath.bench.contender.WindowFigures;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;

/** Keeps what the query of this process answers. */
final class SqlResults implements FlatMapFunction<Row, Void> {

  private static final long serialVersionUID = 1L;
  private static final int P95 = 2;
  private static final Queue<WindowFigures> WINDOWS = new ConcurrentLinkedQueue<>();

  static void clear() {
    WINDOWS.clear();
  }

  static List<WindowFigures> windows() {
    return List.copyOf(WINDOWS);
  }

  @Override
  public void flatMap(Row row, Collector<Void> nothing) {
    String replica = row.getFieldAs("replica");
    if (replica != null) {
      WINDOWS.add(
          new WindowFigures(
              WindowFigures.key(row.getFieldAs("model"), row.getFieldAs("policy"), replica),
              endMs(row),
              row.<Long>getFieldAs("requests"),
              p95Us(row)));
    }
  }

  /** Windows of a local time zone's timestamps are in that zone's wall time. */
  private static long endMs(Row row) {
    LocalDateTime end = row.getFieldAs("window_end");
    return end.atZone(ZoneId.systemDefault()).toInstant().toEpochMilli();
  }

  private static double p95Us(Row row) {
    Double[] percentiles = row.getFieldAs("e2e_us");
    return percentiles == null ? Double.NaN : percentiles[P95];
  }
}
