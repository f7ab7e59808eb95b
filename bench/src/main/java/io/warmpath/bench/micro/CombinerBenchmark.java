package io.warmpath.bench.micro;

import io.warmpath.bench.pipeline.WorkloadEvents;
import io.warmpath.jobs.combine.OpenPanes;
import io.warmpath.jobs.combine.RequestContribution;
import io.warmpath.jobs.request.RequestFigures;
import io.warmpath.jobs.request.RequestForm;
import io.warmpath.jobs.source.RecordForm;
import io.warmpath.schemas.codec.Codecs;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** A second of events that become panes of all keys and roll-ups, which then leave. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CombinerBenchmark {

  private static final int EVENTS = 20_000;
  private static final double BACKLOG_SHARE = 0.15;

  private final RequestFigures[] events = new RequestFigures[EVENTS];
  private final RequestContribution contribution = new RequestContribution(BACKLOG_SHARE);
  private final OpenPanes panes = new OpenPanes();

  /** Reads events. */
  @Setup
  public void read() {
    WorkloadEvents made = WorkloadEvents.ofReplicas(64);
    RecordForm.Reader<RequestFigures> reader = RequestForm.FIGURES.reader();
    for (int i = 0; i < EVENTS; i++) {
      events[i] = reader.read(Codecs.REQUEST_EVENT.encode(made.event(i)));
    }
  }

  /** Time of one event, its share of the panes' way out included. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public void combine(Blackhole out) {
    for (RequestFigures event : events) {
      contribution.add(event, event.key(), panes.at(event.eventTimeMs()));
    }
    panes.closeAll(out::consume);
  }
}
