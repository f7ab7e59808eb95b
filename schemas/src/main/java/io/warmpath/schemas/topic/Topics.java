package io.warmpath.schemas.topic;

import java.time.Duration;
import java.util.List;

/** The topics of Warmpath. */
public final class Topics {

  public static final String REQUESTS = "llm.requests";
  public static final String CACHE_EVENTS = "llm.cache-events";
  public static final String REPLICA_TELEMETRY = "llm.replica-telemetry";
  public static final String ROUTING_STATS = "llm.routing-stats";
  public static final String ROUTING_WEIGHTS = "llm.routing-weights";
  public static final String WEIGHT_DECISIONS = "llm.weight-decisions";
  public static final String SHADOW_STATS = "llm.shadow-stats";
  public static final String DEAD_LETTERS = "llm.dead-letters";

  private static final String DELETE = "delete";
  private static final String COMPACT = "compact";
  private static final int MIB = 1024 * 1024;

  /** All topics with their defaults. */
  public static final List<TopicSpec> ALL =
      List.of(
          new TopicSpec(REQUESTS, 6, DELETE, Duration.ofHours(24), MIB),
          new TopicSpec(CACHE_EVENTS, 6, DELETE, Duration.ofHours(24), MIB),
          new TopicSpec(REPLICA_TELEMETRY, 6, DELETE, Duration.ofHours(24), MIB),
          new TopicSpec(ROUTING_STATS, 3, DELETE, Duration.ofDays(7), MIB),
          new TopicSpec(ROUTING_WEIGHTS, 1, COMPACT, null, 2 * MIB),
          new TopicSpec(WEIGHT_DECISIONS, 1, DELETE, Duration.ofDays(30), 2 * MIB),
          new TopicSpec(SHADOW_STATS, 1, DELETE, Duration.ofDays(7), MIB),
          new TopicSpec(DEAD_LETTERS, 1, DELETE, Duration.ofDays(7), 2 * MIB));

  private Topics() {}
}
