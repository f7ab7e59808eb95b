package io.warmpath.jobs.testing;

import io.warmpath.schemas.HashList;
import io.warmpath.schemas.request.PrefixSample;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.request.RoutingFacts;

/** Turns of seven conversations that grow, routed round robin to three replicas. */
public final class Turns {

  private Turns() {}

  /** The routed event of request {@code number}, with all blocks of its prompt. */
  public static RequestEvent routed(int number, String model, long timeMs) {
    int blocks = 1 + number / 7 % 12;
    long[] hashes = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      hashes[i] = 1_000L * (number % 7 + 1) + i;
    }
    RequestContext context =
        new RequestContext(
            timeMs,
            "r" + number,
            null,
            "b",
            1,
            0,
            model,
            null,
            null,
            "round_robin",
            "replica-" + number % 3,
            0,
            0,
            true);
    RoutingFacts facts = new RoutingFacts(16L * blocks + 3, true, 0, 0, 0, 0, 0, 0, 10);
    return new Routed(context, facts, new PrefixSample(16, blocks, 1, HashList.of(hashes)));
  }
}
