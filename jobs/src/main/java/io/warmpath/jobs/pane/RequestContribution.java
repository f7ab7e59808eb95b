package io.warmpath.jobs.pane;

import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.loss.PromptLoss;
import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.RoutingFacts;
import io.warmpath.schemas.stats.LostTokens;

/**
 * What request events add: time to first token at the time of the first token, failed attempts at
 * theirs, and everything else at the end of the request. {@code routed} adds nothing but its
 * balancer's loss counter.
 */
public final class RequestContribution implements Contribution<RequestEvent> {

  private static final long serialVersionUID = 1L;

  private final double backlogShare;

  /**
   * @param backlogShare share of a replica's backlog that a request waits for, 0 to 1
   */
  public RequestContribution(double backlogShare) {
    this.backlogShare = backlogShare;
  }

  @Override
  public PaneKey keyOf(RequestEvent event) {
    RequestContext context = event.context();
    return PaneKey.of(context.model(), context.policy(), context.replica());
  }

  @Override
  public void add(RequestEvent event, PaneKey key, OpenPanes.Second panes) {
    noteLoss(event.context(), key, panes);
    if (event instanceof FirstToken first) {
      panes.of(key).add(Timing.TTFT, first.times().ttftUs());
    } else if (event instanceof AttemptFailed) {
      panes.of(key).add(Count.ATTEMPTS, 1);
      panes.of(key).add(Count.ATTEMPTS_FAILED, 1);
    } else if (event instanceof Finished finished) {
      addFinished(finished, panes.of(key));
    }
  }

  /** A balancer cannot say whose events it lost, so only the model's total knows. */
  private static void noteLoss(RequestContext context, PaneKey key, OpenPanes.Second panes) {
    if (context.eventsDropped() > 0) {
      String run = PaneKey.name(context.router()) + '@' + context.routerStartMs();
      panes.of(key.total()).noteLoss(run, context.eventsDropped());
    }
  }

  private void addFinished(Finished finished, Pane pane) {
    pane.add(Count.REQUESTS, 1);
    pane.add(outcomeOf(finished), 1);
    // An attempt that failed has been counted by its own event.
    if (finished.context().replica() != null && outcomeOf(finished) != Count.FAILED) {
      pane.add(Count.ATTEMPTS, 1);
    }
    if (!finished.context().stream()) {
      pane.add(Count.NOT_STREAMED, 1);
    }
    if (outcomeOf(finished) == Count.OK) {
      pane.add(Timing.E2E, finished.e2eUs());
    }
    if (finished.cachedTokens() == null) {
      pane.add(Count.UNKNOWN_CACHED_REQUESTS, 1);
      pane.add(Count.UNKNOWN_CACHED_PROMPT_TOKENS, finished.facts().promptTokens());
    } else {
      addKnownHit(finished, pane);
    }
    if (finished.upstreamTtftUs() != null) {
      pane.addFitSample(tokensBeforeFirst(finished), finished.upstreamTtftUs());
    }
  }

  private static Count outcomeOf(Finished finished) {
    return switch (finished.outcome()) {
      case OK -> Count.OK;
      case UPSTREAM_ERROR, TIMEOUT -> Count.FAILED;
      case CLIENT_ABORT -> Count.ABORTED;
      case REJECTED -> Count.REJECTED;
    };
  }

  private static void addKnownHit(Finished finished, Pane pane) {
    RoutingFacts facts = finished.facts();
    PromptLoss loss =
        PromptLoss.of(
            facts.promptTokens(),
            facts.seenTokens(),
            facts.bestCachedTokens(),
            facts.bestAdmissibleCachedTokens(),
            facts.chosenCachedTokens(),
            finished.cachedTokens());
    pane.add(Count.PROMPT_TOKENS, loss.prompt());
    pane.add(Count.CACHED_TOKENS, loss.delivered());
    pane.add(Count.HIT_REQUESTS, loss.delivered() > 0 ? 1 : 0);
    LostTokens lost = loss.lost();
    pane.add(Count.NEVER_SEEN_TOKENS, lost.neverSeen());
    pane.add(Count.CAPACITY_TOKENS, lost.capacity());
    pane.add(Count.LOAD_JUSTIFIED_TOKENS, lost.loadJustified());
    pane.add(Count.ROUTING_TOKENS, lost.routing());
    pane.add(Count.INDEX_OVER_TOKENS, lost.indexOver());
    pane.add(Count.INDEX_UNDER_TOKENS, lost.indexUnder());
    pane.add(Count.AVOIDABLE_TOKENS, loss.avoidable());
    if (finished.ttftUs() != null) {
      pane.add(loss.delivered() > 0 ? Timing.TTFT_HIT : Timing.TTFT_MISS, finished.ttftUs());
    }
  }

  /** What the first token waited for: the prompt's uncached part and a share of the backlog. */
  private long tokensBeforeFirst(Finished finished) {
    RoutingFacts facts = finished.facts();
    long cached =
        finished.cachedTokens() == null ? facts.chosenCachedTokens() : finished.cachedTokens();
    return FitBins.load(facts.promptTokens() - cached, facts.backlogTokens(), backlogShare);
  }
}
