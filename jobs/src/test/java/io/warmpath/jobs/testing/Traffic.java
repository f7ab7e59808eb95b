package io.warmpath.jobs.testing;

import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Random traffic with all disorder that a partition can show: late, far too late, and ahead. */
public final class Traffic {

  private static final int PARTITIONS = 3;
  private static final List<String> POLICIES = List.of("adaptive", "round_robin");
  private static final List<String> MODELS = List.of("m", "m", "m", "n");

  private final Arrivals<RequestEvent> requests =
      new Arrivals<>(Topics.REQUESTS, Arrivals.REQUESTS);
  private final Arrivals<CacheEventBatch> cacheEvents =
      new Arrivals<>(Topics.CACHE_EVENTS, JsonForm.CACHE_EVENTS);
  private final Arrivals<ReplicaTelemetry> telemetry =
      new Arrivals<>(Topics.REPLICA_TELEMETRY, JsonForm.TELEMETRY);
  private final List<List<RequestEvent>> sent =
      List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  private final Set<List<Integer>> begun = new HashSet<>();
  private final Random random;
  private int numberings;
  private final long fromMs;
  private final long spanMs;
  private final long[] lossByRouter = new long[2];

  public Traffic(long seed, long fromMs, long spanMs) {
    this.random = new Random(seed);
    this.fromMs = fromMs;
    this.spanMs = spanMs;
  }

  /** Records of all three topics as they arrive. */
  public List<Parsed<?>> records(int count) {
    List<Parsed<?>> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long nowMs = fromMs + spanMs * i / count;
      int partition = random.nextInt(PARTITIONS);
      int kind = random.nextInt(10);
      // A partition that begins far behind the others would be one that came back from silence.
      boolean first = begun.add(List.of(Math.min(kind, 2), partition));
      long timeMs = nowMs - 7_000L * partition - (first ? 0 : delayMs());
      if (kind == 0) {
        records.add(cacheEvents.written(partition, nowMs, batch(timeMs)));
      } else if (kind == 1) {
        // Times that differ, as the last report of a window is the one that counts.
        records.add(telemetry.written(partition, nowMs, report(nowMs / 1000 * 1000 + i % 1000)));
      } else {
        RequestEvent event =
            !first && random.nextInt(12) == 0 ? earlier(partition) : request(timeMs);
        sent.get(partition).add(event);
        records.add(requests.written(partition, nowMs, event));
      }
    }
    return records;
  }

  /** An event that a partition has held before; a new one while it has held none. */
  private RequestEvent earlier(int partition) {
    List<RequestEvent> earlier = sent.get(partition);
    // From the last ones more often, as copies of the oldest are too late for anything.
    int back = 1 + random.nextInt(1 + random.nextInt(60));
    return earlier.size() < back ? request(fromMs) : earlier.get(earlier.size() - back);
  }

  /** The records of one topic, in their order. */
  @SuppressWarnings("unchecked") // Checked by the value's class.
  public static <T> List<Parsed<T>> only(List<Parsed<?>> records, Class<T> type) {
    return records.stream()
        .filter(record -> type.isInstance(record.value()))
        .map(record -> (Parsed<T>) record)
        .toList();
  }

  private long delayMs() {
    int kind = random.nextInt(100);
    if (kind < 4) {
      return 2_000 + random.nextInt(55_000);
    }
    if (kind < 6) {
      return 50_000 + random.nextInt(40_000);
    }
    return kind < 7 ? -60_001 - random.nextInt(3_600_000) : random.nextInt(1_500);
  }

  private RequestEvent request(long timeMs) {
    int router = random.nextInt(2);
    lossByRouter[router] += random.nextInt(20) == 0 ? random.nextInt(5) : 0;
    long prompt = 1 + random.nextInt(5000);
    Request request =
        Request.at(timeMs)
            .router("balancer-" + router)
            .lost(lossByRouter[router])
            .model(MODELS.get(random.nextInt(MODELS.size())))
            .policy(POLICIES.get(random.nextInt(POLICIES.size())))
            .replica("replica-" + random.nextInt(3))
            .prompt(prompt)
            .cached(cached(prompt))
            .predicted(
                random.nextInt(5000),
                random.nextInt(5000),
                random.nextInt(5000),
                random.nextInt(5000))
            .backlog(random.nextInt(3000))
            .ttft(20_000 + prompt * 40 + random.nextInt(50_000))
            .e2e(random.nextInt(2_000_000))
            .outcome(Outcome.values()[random.nextInt(4)]);
    return switch (random.nextInt(12)) {
      case 0 -> request.routed();
      case 1 -> request.attemptFailed();
      case 2, 3, 4 -> request.firstToken();
      case 5 -> request.rejected().finished();
      case 6 -> request.notStreamed().finished();
      default -> request.finished();
    };
  }

  private Long cached(long prompt) {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> 0L;
      // Engines may say more than the prompt is long.
      default -> (long) random.nextInt((int) prompt + 50);
    };
  }

  private CacheEventBatch batch(long timeMs) {
    long prompt = 1 + random.nextInt(4000);
    List<CacheEvent> events = new ArrayList<>();
    events.add(new CacheEvent.Stored(HashList.of(1, 2, 3), 16, CacheEvent.GPU, 0));
    events.add(new CacheEvent.Removed(HashList.of(1), CacheEvent.GPU, 0));
    if (random.nextInt(5) == 0) {
      events.add(new CacheEvent.Cleared());
    }
    Long gpuUs = random.nextInt(3) == 0 ? Long.valueOf(prompt * 30) : null;
    events.add(
        new CacheEvent.Prefill(
            "r", "adaptive", prompt, random.nextInt((int) prompt), prompt * 40, gpuUs));
    if (random.nextInt(3) == 0) {
      events.add(new CacheEvent.Counters(random.nextInt(20_000), random.nextInt(8_000), 1_000));
    }
    return new CacheEventBatch(
        timeMs,
        "replica-" + random.nextInt(4),
        "m",
        random.nextInt(4) == 0 ? CacheEventBatch.Source.SCRAPE : CacheEventBatch.Source.ENGINE,
        1,
        // A numbering of its own, as batches come to any partition here and in any order.
        numberings++,
        0,
        null,
        events);
  }

  private ReplicaTelemetry report(long timeMs) {
    boolean modelled = random.nextBoolean();
    ReplicaTelemetry.Gpu gpu =
        new ReplicaTelemetry.Gpu(
            "H200",
            random.nextInt(1000),
            1000,
            modelled ? ReplicaTelemetry.Source.MODELLED : ReplicaTelemetry.Source.JCUDA);
    return new ReplicaTelemetry(
        timeMs,
        "replica-" + random.nextInt(4),
        "m",
        16,
        1,
        2,
        3,
        4,
        random.nextInt(4) == 0 ? null : gpu);
  }
}
