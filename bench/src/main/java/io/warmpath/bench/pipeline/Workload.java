package io.warmpath.bench.pipeline;

/**
 * What is in the topic.
 *
 * @param events finished requests
 * @param replicas replicas that they went to, under four policies
 * @param eventsPerSecond events in a second of their own time; fewer make more windows an event
 * @param startMs when the first one happened, epoch milliseconds, a multiple of a window's length
 */
public record Workload(long events, int replicas, int eventsPerSecond, long startMs) {

  private static final long HOUR_MS = 3_600_000;
  private static final long ROUND_MS = 300_000;

  public Workload {
    if (events < 1 || replicas < 1 || eventsPerSecond < 1) {
      throw new IllegalArgumentException("events, replicas and their rate must be at least 1");
    }
  }

  /** Events that happened lately: Kafka neither refuses them nor deletes them soon. */
  public static Workload before(long nowMs, long events, int replicas, int eventsPerSecond) {
    long spanMs = events * 1000 / Math.max(1, eventsPerSecond);
    if (spanMs > 6 * HOUR_MS) {
      throw new IllegalArgumentException("events / rate must be below 6 hours");
    }
    long startMs = Math.floorDiv(nowMs - spanMs - ROUND_MS, ROUND_MS) * ROUND_MS;
    return new Workload(events, replicas, eventsPerSecond, startMs);
  }

  /** When event {@code number} happened, but for disorder. */
  long timeMs(long number) {
    return startMs + number * 1000 / eventsPerSecond;
  }

  /** When the last one happened, likewise. */
  long endMs() {
    return timeMs(events - 1);
  }
}
