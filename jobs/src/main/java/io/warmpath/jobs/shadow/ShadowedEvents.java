package io.warmpath.jobs.shadow;

import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.routing.shadow.SampleRate;
import io.warmpath.routing.shadow.SampledPrompt;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.Collector;

/**
 * Lets the events pass that shadows follow: first attempts with a sample that covers the rate, and
 * ends of streamed answers. Retries are the doing of the real fleet.
 */
public final class ShadowedEvents extends RichFlatMapFunction<Inbound<RequestEvent>, RequestEvent> {

  private static final long serialVersionUID = 1L;

  private final double sampleRate;
  private transient SampleRate rate;
  private transient Counter unsampled;

  public ShadowedEvents(double sampleRate) {
    this.sampleRate = sampleRate;
  }

  @Override
  public void open(OpenContext context) {
    rate = new SampleRate(sampleRate);
    unsampled = getRuntimeContext().getMetricGroup().counter("requests_without_sample");
  }

  @Override
  public void flatMap(Inbound<RequestEvent> inbound, Collector<RequestEvent> out) {
    if (!(inbound instanceof Parsed<RequestEvent> parsed)) {
      return;
    }
    if (parsed.value() instanceof Routed routed) {
      if (routed.context().attempt() > 0 || routed.context().replica() == null) {
        return;
      }
      if (routed.prefix() == null || !SampledPrompt.covers(routed.prefix(), rate)) {
        unsampled.inc();
        return;
      }
      out.collect(routed);
    } else if (parsed.value() instanceof Finished finished
        && finished.outcome() == Outcome.OK
        && finished.ttftUs() != null) {
      out.collect(finished);
    }
  }
}
