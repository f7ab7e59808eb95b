package io.warmpath.jobs.request;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Names of balancers' runs; the last one is not made again. */
final class RouterRuns {

  private byte[] lastRouter = {};
  private long lastStartMs;
  private String last;

  /** The run of the balancer that {@code bytes[from, to)} names. */
  String of(byte[] bytes, int from, int to, long startMs) {
    if (last == null
        || startMs != lastStartMs
        || !Arrays.equals(lastRouter, 0, lastRouter.length, bytes, from, to)) {
      lastRouter = Arrays.copyOfRange(bytes, from, to);
      lastStartMs = startMs;
      last = RequestFigures.routerRun(new String(lastRouter, StandardCharsets.US_ASCII), startMs);
    }
    return last;
  }
}
