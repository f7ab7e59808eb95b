package io.warmpath.lab.founding;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.warmpath.lab.simulate.TtftSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The figures of one run of one policy.
 *
 * @param requests requests answered
 * @param rps requests a second, from the first request's start to the last one's end
 * @param ttftUs times to first token
 * @param coldMeanTtftUs mean over first turns
 * @param warmMeanTtftUs mean over later turns
 * @param meanTtftUsByTurn mean by turn, first turn first
 * @param endToEndP50Us median time to last token
 * @param endToEndP95Us its 95th percentile
 * @param promptTokens sum of the prompts
 * @param cachedTokens of them taken from a cache
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record FoundingFigures(
    int requests,
    double rps,
    TtftSummary ttftUs,
    double coldMeanTtftUs,
    double warmMeanTtftUs,
    List<Double> meanTtftUsByTurn,
    long endToEndP50Us,
    long endToEndP95Us,
    long promptTokens,
    long cachedTokens) {

  /** The figures of at least one request. */
  public static FoundingFigures of(List<FoundingRequest> requests) {
    long start = requests.stream().mapToLong(FoundingRequest::arrivalMicros).min().orElseThrow();
    long end = requests.stream().mapToLong(FoundingRequest::finishedMicros).max().orElseThrow();
    TtftSummary endToEnd = TtftSummary.of(longs(requests, FoundingRequest::endToEndMicros));
    List<Double> byTurn = new ArrayList<>();
    for (int turn = 1; turn <= FoundingWorkload.TURNS; turn++) {
      int number = turn;
      byTurn.add(meanTtft(requests, request -> request.turn() == number));
    }
    return new FoundingFigures(
        requests.size(),
        1e6 * requests.size() / (end - start),
        TtftSummary.of(longs(requests, FoundingRequest::ttftMicros)),
        meanTtft(requests, request -> request.turn() == 1),
        meanTtft(requests, request -> request.turn() > 1),
        byTurn,
        endToEnd.p50(),
        endToEnd.p95(),
        requests.stream().mapToLong(FoundingRequest::promptTokens).sum(),
        requests.stream().mapToLong(FoundingRequest::cachedTokens).sum());
  }

  /** Share of the prompt tokens that came from a cache. */
  public double tokenHitRate() {
    return (double) cachedTokens / promptTokens;
  }

  private static double meanTtft(List<FoundingRequest> requests, Predicate<FoundingRequest> which) {
    return requests.stream()
        .filter(which)
        .mapToLong(FoundingRequest::ttftMicros)
        .average()
        .orElse(Double.NaN);
  }

  private static long[] longs(
      List<FoundingRequest> requests, java.util.function.ToLongFunction<FoundingRequest> value) {
    return requests.stream().mapToLong(value).toArray();
  }
}
