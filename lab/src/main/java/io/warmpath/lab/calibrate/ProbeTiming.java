package io.warmpath.lab.calibrate;

/**
 * One answer. Times are of the target's own clock, in microseconds.
 *
 * @param sentUs when the prompt was sent
 * @param firstTokenUs when the first token was there
 * @param endUs when the last token was there
 * @param outputTokens length of the answer
 * @param cachedTokens prompt tokens that came from the cache; null where the target does not say
 */
public record ProbeTiming(
    long sentUs, long firstTokenUs, long endUs, int outputTokens, Integer cachedTokens) {

  /** Time to first token. */
  double ttftUs() {
    return firstTokenUs - sentUs;
  }

  /** Mean time from one token to the next; the answer has two at least. */
  double tokenUs() {
    return (double) (endUs - firstTokenUs) / (outputTokens - 1);
  }
}
