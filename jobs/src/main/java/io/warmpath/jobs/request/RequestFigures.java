package io.warmpath.jobs.request;

import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.request.RoutingFacts;
import java.nio.charset.StandardCharsets;

/**
 * What is counted of a request event. Figures that an event of its type does not carry are {@link
 * #UNKNOWN}, and so are those that are null in it.
 *
 * @param type type of the event
 * @param eventTimeMs when it happened
 * @param fingerprint the same for copies of an event, see {@link EventFingerprint}
 * @param key model, policy and replica
 * @param routerRun the balancer's run, see {@link #routerRun(String, long)}; null where it lost
 *     nothing
 * @param eventsDropped events that this run lost so far
 * @param stream whether the client asked for a stream
 * @param hasReplica whether a replica was chosen
 * @param promptTokens as in {@link RoutingFacts}, and so on
 * @param ttftUs time to first token
 * @param upstreamTtftUs dispatch to first token
 * @param outcome how it ended; null but in {@code finished}
 * @param cachedTokens prompt tokens from the engine's cache
 * @param e2eUs whole time
 */
public record RequestFigures(
    Type type,
    long eventTimeMs,
    long fingerprint,
    PaneKey key,
    String routerRun,
    long eventsDropped,
    boolean stream,
    boolean hasReplica,
    long promptTokens,
    long chosenCachedTokens,
    long bestCachedTokens,
    long bestAdmissibleCachedTokens,
    long seenTokens,
    long backlogTokens,
    long ttftUs,
    long upstreamTtftUs,
    Outcome outcome,
    long cachedTokens,
    long e2eUs) {

  /** In place of a figure that the event does not carry. */
  public static final long UNKNOWN = -1;

  /** Types of events. State holds them in this order. */
  public enum Type {
    ROUTED,
    ATTEMPT_FAILED,
    FIRST_TOKEN,
    FINISHED
  }

  /** What is counted of an event. */
  public static RequestFigures of(RequestEvent event) {
    if (event instanceof Finished finished) {
      return of(
          Type.FINISHED,
          event.context(),
          finished.facts(),
          orUnknown(finished.ttftUs()),
          orUnknown(finished.upstreamTtftUs()),
          finished.outcome(),
          orUnknown(finished.cachedTokens()),
          finished.e2eUs());
    }
    if (event instanceof FirstToken first) {
      return of(
          Type.FIRST_TOKEN,
          event.context(),
          first.facts(),
          first.times().ttftUs(),
          first.times().upstreamTtftUs(),
          null,
          UNKNOWN,
          UNKNOWN);
    }
    boolean routed = event instanceof Routed;
    return of(
        routed ? Type.ROUTED : Type.ATTEMPT_FAILED,
        event.context(),
        routed ? ((Routed) event).facts() : null,
        UNKNOWN,
        UNKNOWN,
        null,
        UNKNOWN,
        UNKNOWN);
  }

  private static RequestFigures of(
      Type type,
      RequestContext context,
      RoutingFacts facts,
      long ttftUs,
      long upstreamTtftUs,
      Outcome outcome,
      long cachedTokens,
      long e2eUs) {
    byte[] requestId = context.requestId().getBytes(StandardCharsets.UTF_8);
    return new RequestFigures(
        type,
        context.eventTimeMs(),
        EventFingerprint.of(requestId, 0, requestId.length, type, context.attempt()),
        PaneKey.of(context.model(), context.policy(), context.replica()),
        context.eventsDropped() == 0 ? null : routerRun(context.router(), context.routerStartMs()),
        context.eventsDropped(),
        context.stream(),
        context.replica() != null,
        facts == null ? UNKNOWN : facts.promptTokens(),
        facts == null ? UNKNOWN : facts.chosenCachedTokens(),
        facts == null ? UNKNOWN : facts.bestCachedTokens(),
        facts == null ? UNKNOWN : facts.bestAdmissibleCachedTokens(),
        facts == null ? UNKNOWN : facts.seenTokens(),
        facts == null ? UNKNOWN : facts.backlogTokens(),
        ttftUs,
        upstreamTtftUs,
        outcome,
        cachedTokens,
        e2eUs);
  }

  private static long orUnknown(Long value) {
    return value == null ? UNKNOWN : value;
  }

  /** A run of a balancer, by its name of bounded length and its start. */
  public static String routerRun(String router, long startMs) {
    return PaneKey.name(router) + '@' + startMs;
  }
}
