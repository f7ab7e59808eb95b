package io.warmpath.jobs.source;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Lets understood records pass and sends the refused ones to a side output.
 *
 * @param <T> the records of the topic
 */
public final class RefusedAside<T> extends ProcessFunction<Inbound<T>, Inbound<T>> {

  private static final long serialVersionUID = 1L;

  /** Where the refused records go. */
  public static final OutputTag<Refusal> REFUSED = new OutputTag<>("refused", Refusal.TYPE);

  private transient Counter refused;

  @Override
  public void open(OpenContext context) {
    refused = getRuntimeContext().getMetricGroup().counter("refused_records");
  }

  @Override
  public void processElement(Inbound<T> inbound, Context context, Collector<Inbound<T>> out) {
    if (inbound instanceof Inbound.Malformed<T> malformed) {
      refused.inc();
      context.output(REFUSED, malformed.refusal());
    } else {
      out.collect(inbound);
    }
  }
}
