package io.warmpath.balancer.metrics;

import io.warmpath.schemas.request.Outcome;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What this balancer measured of its requests. Labels come from the configuration and from closed
 * lists only, so their number is bounded. Safe for concurrent use.
 */
public final class RequestMetrics {

  private static final String REQUESTS = "warmpath_balancer_requests_total";
  private static final String ATTEMPTS_FAILED = "warmpath_balancer_attempts_failed_total";
  private static final String RETRIES_REFUSED = "warmpath_balancer_retries_refused_total";
  private static final String REFUSED = "warmpath_balancer_refused_total";
  private static final String DECISIONS = "warmpath_balancer_decisions_total";
  private static final String DECISION_SECONDS = "warmpath_balancer_decision_seconds";
  private static final String TTFT = "gen_ai_server_time_to_first_token_seconds";
  private static final String DURATION = "gen_ai_server_request_duration_seconds";
  private static final String PER_TOKEN = "gen_ai_server_time_per_output_token_seconds";

  private static final String STATUS = "status_";
  private static final Pattern KNOWN_STATUS = Pattern.compile(STATUS + "[45][0-9]{2}");

  private static final double[] TTFT_BOUNDS = {
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10
  };
  private static final double[] DURATION_BOUNDS = {
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92
  };
  private static final double[] PER_TOKEN_BOUNDS = {
    0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5
  };
  private static final double[] DECISION_BOUNDS = {
    0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.1
  };

  private static final String[] ROUTE = {"model", "policy", "replica"};

  /** Where a series belongs; {@code replica} is empty where none was chosen. */
  private record Route(String model, String policy, String replica) {
    String[] labels() {
      return new String[] {"model", model, "policy", policy, "replica", replica};
    }
  }

  private record Labelled(Route route, String value) {}

  private final Map<Labelled, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<Labelled, LongAdder> attemptsFailed = new ConcurrentHashMap<>();
  private final Map<Labelled, LongAdder> decisions = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> retriesRefused = new ConcurrentHashMap<>();
  private final DurationHistogram decisionTime =
      new DurationHistogram(
          DECISION_SECONDS, "Time to count, hash and route a prompt.", DECISION_BOUNDS);
  private final DurationHistogram ttft =
      new DurationHistogram(TTFT, "Request received to first generated token.", TTFT_BOUNDS, ROUTE);
  private final DurationHistogram duration =
      new DurationHistogram(
          DURATION, "Request received to end of answer, answered in full.", DURATION_BOUNDS, ROUTE);
  private final DurationHistogram perToken =
      new DurationHistogram(
          PER_TOKEN, "Mean time between the tokens of an answer.", PER_TOKEN_BOUNDS, ROUTE);

  /**
   * A request went to a replica.
   *
   * @param reason why there, one of a closed list
   */
  public void routed(
      String model, String policy, String replica, String reason, long decisionMicros) {
    count(decisions, new Route(model, policy, replica), reason);
    decisionTime.observe(decisionMicros);
  }

  /** An attempt failed. */
  public void attemptFailed(String model, String policy, String replica, String reason) {
    count(attemptsFailed, new Route(model, policy, replica), bounded(reason));
  }

  /** A replica may send any number as its status; series must not follow it anywhere. */
  private static String bounded(String reason) {
    return !reason.startsWith(STATUS) || KNOWN_STATUS.matcher(reason).matches()
        ? reason
        : STATUS + "other";
  }

  /** A failed attempt was not repeated because the budget of retries is used up. */
  public void retryRefused(String model) {
    retriesRefused.computeIfAbsent(model, m -> new LongAdder()).increment();
  }

  /** A first token came. */
  public void firstToken(String model, String policy, String replica, long ttftMicros) {
    ttft.observe(ttftMicros, model, policy, replica);
  }

  /** A request is over. */
  public void finished(
      String model, String policy, String replica, Outcome outcome, long durationMicros) {
    Route route = new Route(model, policy, replica == null ? "" : replica);
    count(requests, route, outcome.name().toLowerCase(Locale.ROOT));
    if (outcome == Outcome.OK) {
      duration.observe(durationMicros, model, policy, route.replica());
    }
  }

  /** Mean time between the tokens of one answer. */
  public void perOutputToken(String model, String policy, String replica, long micros) {
    perToken.observe(micros, model, policy, replica);
  }

  /** A request was refused before it concerned any model. */
  public void refused(String reason) {
    refused.computeIfAbsent(reason, r -> new LongAdder()).increment();
  }

  /** Forgets a replica that is gone, so that those that come and go do not add up. */
  public void forget(String model, String replica) {
    Predicate<Route> gone = r -> r.model().equals(model) && r.replica().equals(replica);
    requests.keySet().removeIf(labelled -> gone.test(labelled.route()));
    attemptsFailed.keySet().removeIf(labelled -> gone.test(labelled.route()));
    decisions.keySet().removeIf(labelled -> gone.test(labelled.route()));
    ttft.forget(model, replica);
    duration.forget(model, replica);
    perToken.forget(model, replica);
  }

  private static void count(Map<Labelled, LongAdder> counters, Route route, String value) {
    counters.computeIfAbsent(new Labelled(route, value), key -> new LongAdder()).increment();
  }

  /** Writes all series. */
  public void writeTo(PrometheusText text) {
    writeRouted(text, REQUESTS, "Requests that are over.", requests, "outcome");
    writeRouted(
        text, ATTEMPTS_FAILED, "Attempts on a replica that failed.", attemptsFailed, "reason");
    writeCounters(
        text, RETRIES_REFUSED, "Retries that the budget did not allow.", retriesRefused, "model");
    writeRouted(
        text,
        DECISIONS,
        "Requests sent to a replica, retries included, by why it was that one.",
        decisions,
        "reason");
    writeCounters(
        text, REFUSED, "Requests refused before they concerned any model.", refused, "reason");
    text.histogram(decisionTime);
    text.histogram(ttft);
    text.histogram(duration);
    text.histogram(perToken);
  }

  private static void writeRouted(
      PrometheusText text,
      String name,
      String help,
      Map<Labelled, LongAdder> counters,
      String label) {
    text.metric(name, "counter", help, PrometheusText.with(ROUTE, label));
    counters.forEach(
        (key, count) ->
            text.sample(
                name, count.sum(), PrometheusText.with(key.route().labels(), label, key.value())));
  }

  private static void writeCounters(
      PrometheusText text,
      String name,
      String help,
      Map<String, LongAdder> counters,
      String label) {
    text.metric(name, "counter", help, label);
    counters.forEach((value, count) -> text.sample(name, count.sum(), label, value));
  }
}
