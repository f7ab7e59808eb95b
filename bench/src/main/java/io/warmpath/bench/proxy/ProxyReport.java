package io.warmpath.bench.proxy;

import java.util.List;
import java.util.OptionalDouble;

/**
 * All contenders side by side.
 *
 * @param plan what was measured
 * @param split whether proxies had a processor of their own
 * @param missing contenders that are not installed
 * @param balancer what the balancer did beside; null if it took no part
 */
public record ProxyReport(
    ProxyPlan plan,
    boolean split,
    List<ProxyKind> missing,
    List<RequestRow> requests,
    List<LatencyRow> latencies,
    List<ChunkRow> chunks,
    List<MemoryRow> memory,
    BalancerState balancer) {

  /** Whether all answers were right and the balancer did all that it has to. */
  public boolean isSound() {
    return requests.stream().allMatch(row -> row.failures() == 0 && row.requests() > 0)
        && latencies.stream().allMatch(row -> row.failures() == 0)
        && chunks.stream().allMatch(row -> row.failures() == 0)
        && memory.stream().allMatch(row -> row.failures() == 0 && row.requests() > 0)
        && (balancer == null || balancer.isSound());
  }

  /** Requests a second; empty where it was not measured. */
  OptionalDouble requestsPerSecond(ProxyKind contender, AnswerForm answer) {
    return requests.stream()
        .filter(row -> row.contender() == contender && row.answer() == answer)
        .mapToDouble(RequestRow::requestsPerSecond)
        .findFirst();
  }

  /** Answer times; all zero where they were not measured. */
  Delays latency(ProxyKind contender, AnswerForm answer) {
    return latencies.stream()
        .filter(row -> row.contender() == contender && row.answer() == answer)
        .map(LatencyRow::time)
        .findFirst()
        .orElse(Delays.of(List.of()));
  }

  /** Chunks' times; all zero where they were not measured. */
  Delays chunks(ProxyKind contender) {
    return chunks.stream()
        .filter(row -> row.contender() == contender)
        .map(ChunkRow::time)
        .findFirst()
        .orElse(Delays.of(List.of()));
  }
}
