package io.warmpath.balancer.decision;

import io.warmpath.routing.policy.Admissibility;
import io.warmpath.routing.policy.PredictedTtft;
import io.warmpath.schemas.request.RoutingDecision.Candidate;
import java.util.ArrayList;
import java.util.List;

/**
 * What a decision was made from, copied before the load changes.
 *
 * @param backlogShare share of a replica's backlog that a new request waits for
 * @param candidates all replicas of the model, by their numbers
 */
public record ExplainedView(double backlogShare, List<Candidate> candidates) {

  static ExplainedView of(DecisionView view, Admissibility.Set admissible, List<Member> members) {
    List<Candidate> candidates = new ArrayList<>(view.replicas());
    for (int i = 0; i < view.replicas(); i++) {
      double predicted = PredictedTtft.micros(view, i);
      candidates.add(
          new Candidate(
              members.get(i).name(),
              view.available(i),
              admissible.contains(i),
              view.cachedTokens(i),
              view.uncachedTokens(i),
              view.inFlight(i),
              view.backlogTokens(i),
              view.outstandingTokens(i),
              view.weight(i),
              view.interceptMicros(i),
              view.microsPerToken(i),
              Double.isFinite(predicted) ? predicted : null));
    }
    return new ExplainedView(view.backlogShare(), candidates);
  }
}
