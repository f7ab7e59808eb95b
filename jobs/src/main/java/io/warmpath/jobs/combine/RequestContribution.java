package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.pane.Timing;
import io.warmpath.jobs.request.RequestFigures;
import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.loss.PromptLoss;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.stats.LostTokens;

/**
 * What request events add: time to first token at the time of the first token, failed attempts at
 * theirs, and everything else at the end of the request. {@code routed} adds nothing but its
 * balancer's loss counter.
 */
public final class RequestContribution implements Contribution<RequestFigures> {

  private static final long serialVersionUID = 1L;

  private final double backlogShare;

  /**
   * @param backlogShare share of a replica's backlog that a request waits for, 0 to 1
   */
  public RequestContribution(double backlogShare) {
    this.backlogShare = backlogShare;
  }

  @Override
  public boolean tellsCopies() {
    return true;
  }

  @Override
  public long fingerprint(RequestFigures event) {
    return event.fingerprint();
  }

  @Override
  public PaneKey keyOf(RequestFigures event) {
    return event.key();
  }

  @Override
  public void add(RequestFigures event, PaneKey key, OpenPanes.Second panes) {
    // A balancer cannot say whose events it lost, so only the model's total knows.
    if (event.routerRun() != null) {
      panes.of(key.total()).noteLoss(event.routerRun(), event.eventsDropped());
    }
    switch (event.type()) {
      case FIRST_TOKEN -> panes.of(key).add(Timing.TTFT, event.ttftUs());
      case ATTEMPT_FAILED -> {
        Pane pane = panes.of(key);
        pane.add(Count.ATTEMPTS, 1);
        pane.add(Count.ATTEMPTS_FAILED, 1);
      }
      case FINISHED -> addFinished(event, panes.of(key));
      case ROUTED -> {}
    }
  }

  private void addFinished(RequestFigures finished, Pane pane) {
    Count outcome = countOf(finished.outcome());
    pane.add(Count.REQUESTS, 1);
    pane.add(outcome, 1);
    // An attempt that failed has been counted by its own event.
    if (finished.hasReplica() && outcome != Count.FAILED) {
      pane.add(Count.ATTEMPTS, 1);
    }
    if (!finished.stream()) {
      pane.add(Count.NOT_STREAMED, 1);
    }
    if (outcome == Count.OK) {
      pane.add(Timing.E2E, finished.e2eUs());
    }
    if (finished.cachedTokens() == RequestFigures.UNKNOWN) {
      pane.add(Count.UNKNOWN_CACHED_REQUESTS, 1);
      pane.add(Count.UNKNOWN_CACHED_PROMPT_TOKENS, finished.promptTokens());
    } else {
      addKnownHit(finished, pane);
    }
    if (finished.upstreamTtftUs() != RequestFigures.UNKNOWN) {
      pane.addFitSample(tokensBeforeFirst(finished), finished.upstreamTtftUs());
    }
  }

  private static Count countOf(Outcome outcome) {
    return switch (outcome) {
      case OK -> Count.OK;
      case UPSTREAM_ERROR, TIMEOUT -> Count.FAILED;
      case CLIENT_ABORT -> Count.ABORTED;
      case REJECTED -> Count.REJECTED;
    };
  }

  private static void addKnownHit(RequestFigures finished, Pane pane) {
    PromptLoss loss =
        PromptLoss.of(
            finished.promptTokens(),
            finished.seenTokens(),
            finished.bestCachedTokens(),
            finished.bestAdmissibleCachedTokens(),
            finished.chosenCachedTokens(),
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
    if (finished.ttftUs() != RequestFigures.UNKNOWN) {
      pane.add(loss.delivered() > 0 ? Timing.TTFT_HIT : Timing.TTFT_MISS, finished.ttftUs());
    }
  }

  /** What the first token waited for: the prompt's uncached part and a share of the backlog. */
  private long tokensBeforeFirst(RequestFigures finished) {
    long cached =
        finished.cachedTokens() == RequestFigures.UNKNOWN
            ? finished.chosenCachedTokens()
            : finished.cachedTokens();
    return FitBins.load(finished.promptTokens() - cached, finished.backlogTokens(), backlogShare);
  }
}
