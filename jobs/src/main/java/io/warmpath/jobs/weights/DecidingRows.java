package io.warmpath.jobs.weights;

import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.schemas.stats.RoutingStats;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/** Lets the rows pass that decide on weights: few of all, so only they travel. */
public final class DecidingRows implements FlatMapFunction<Inbound<RoutingStats>, RoutingStats> {

  private static final long serialVersionUID = 1L;

  @Override
  public void flatMap(Inbound<RoutingStats> inbound, Collector<RoutingStats> out) {
    if (inbound instanceof Parsed<RoutingStats> row && WeightsDecider.concerns(row.value())) {
      out.collect(row.value());
    }
  }
}
