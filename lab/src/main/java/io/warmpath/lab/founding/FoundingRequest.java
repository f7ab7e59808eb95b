package io.warmpath.lab.founding;

/**
 * What became of one request of the founding workload.
 *
 * @param conversation number of the conversation
 * @param turn number of the turn, from 1
 * @param replica index of the replica
 * @param promptTokens length of the prompt
 * @param cachedTokens of them taken from a cache
 * @param arrivalMicros when it was sent, µs since the run began
 * @param ttftMicros time to first token
 * @param endToEndMicros time to last token
 */
public record FoundingRequest(
    int conversation,
    int turn,
    int replica,
    int promptTokens,
    int cachedTokens,
    long arrivalMicros,
    long ttftMicros,
    long endToEndMicros) {

  /** When the last token was there, µs since the run began. */
  public long finishedMicros() {
    return arrivalMicros + endToEndMicros;
  }
}
