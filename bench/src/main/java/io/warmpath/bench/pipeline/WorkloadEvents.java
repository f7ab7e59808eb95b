package io.warmpath.bench.pipeline;

import io.warmpath.lab.synthetic.SyntheticFleet;
import io.warmpath.lab.synthetic.SyntheticRequests;
import io.warmpath.schemas.request.Finished;
import java.util.List;

/** The events of a workload: the same on every call. */
public final class WorkloadEvents {

  /** The model of all of them. */
  static final String MODEL = "llama-3.1-8b";

  private static final long SEED = 42;

  /** Less than the bound of the jobs: nothing is late. */
  private static final long MOST_DISORDER_MS = 500;

  private static final long PRIME = 7_919;

  private final Workload workload;
  private final SyntheticRequests requests;

  WorkloadEvents(Workload workload) {
    this.workload = workload;
    SyntheticFleet fleet = SyntheticFleet.of(List.of(MODEL), workload.replicas());
    requests = new SyntheticRequests(fleet, SEED);
  }

  /** Events as in {@code bench pipeline}, all of them at times long past. */
  public static WorkloadEvents ofReplicas(int replicas) {
    return new WorkloadEvents(new Workload(1, replicas, 20_000, 0));
  }

  /** The end of request {@code number}. */
  public Finished event(long number) {
    long disorderMs = number * PRIME % MOST_DISORDER_MS;
    long timeMs = Math.max(workload.startMs(), workload.timeMs(number) - disorderMs);
    Finished event = requests.finished(number, timeMs);
    return new Finished(
        event.context(),
        event.facts(),
        event.ttftUs(),
        event.upstreamTtftUs(),
        event.firstByteUs(),
        event.firstContentUs(),
        event.outcome(),
        event.status(),
        event.cachedTokens(),
        event.outputTokens(),
        spread(event.e2eUs(), number),
        event.retries());
  }

  /** Made durations are few; real ones hardly ever equal each other, which SQL's maps feel. */
  private static long spread(long durationUs, long number) {
    return durationUs + number * PRIME % (durationUs / 25);
  }
}
