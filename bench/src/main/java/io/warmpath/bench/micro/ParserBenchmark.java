package io.warmpath.bench.micro;

import io.warmpath.bench.pipeline.WorkloadEvents;
import io.warmpath.jobs.request.RequestFigures;
import io.warmpath.jobs.request.RequestForm;
import io.warmpath.jobs.source.RecordForm;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RequestEvent;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The job's reader of finished requests, and the codec that is the contract. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ParserBenchmark {

  private static final int EVENTS = 4_096;

  private final byte[][] events = new byte[EVENTS][];
  private final RecordForm.Reader<RequestFigures> reader = RequestForm.FIGURES.reader();
  private int next;

  /** Encodes events. */
  @Setup
  public void encode() {
    WorkloadEvents made = WorkloadEvents.ofReplicas(64);
    for (int i = 0; i < EVENTS; i++) {
      events[i] = Codecs.REQUEST_EVENT.encode(made.event(i));
    }
  }

  private byte[] next() {
    next = (next + 1) % EVENTS;
    return events[next];
  }

  /** One event by the job's reader. */
  @Benchmark
  public RequestFigures read() {
    return reader.read(next());
  }

  /** One event by the codec. */
  @Benchmark
  public RequestEvent decode() {
    return Codecs.REQUEST_EVENT.decode(next());
  }
}
