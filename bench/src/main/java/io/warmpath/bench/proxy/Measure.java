package io.warmpath.bench.proxy;

/** What is measured. */
public enum Measure {
  /** Requests a second of clients that send the next request once they have the answer. */
  REQUESTS,
  /** Time of an answer at a fixed rate, whoever is slow. */
  LATENCY,
  /** How long the chunks of many streams take from the upstream to the client. */
  CHUNKS,
  /** What the balancer keeps in memory after minutes of full load. */
  MEMORY
}
