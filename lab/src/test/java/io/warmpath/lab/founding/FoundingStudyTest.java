package io.warmpath.lab.founding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.simulate.FleetOptions;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.routing.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FoundingStudyTest {

  private static final int RUNS = 60;

  private static FoundingStudy study;

  @BeforeAll
  static void run() {
    List<String> policies = List.of("round_robin", "prefix_affinity", "adaptive");
    study = FoundingStudy.run(FoundingStudy.Plan.of(policies, RUNS, 1), done -> {});
  }

  @Test
  void answersEveryRequestOfEveryRun() {
    assertEquals(RUNS, study.runs());
    study
        .byPolicy()
        .values()
        .forEach(runs -> runs.forEach(run -> assertEquals(110, run.requests())));
  }

  @Test
  void roundRobinPaysOnLaterTurnsWhatAdaptiveDoesNot() {
    assertTrue(study.warmRatio("adaptive").median() >= 1.7, study.warmRatio("adaptive")::toString);
    assertTrue(study.p95Ratio("adaptive").median() > 1.5, study.p95Ratio("adaptive")::toString);
  }

  @Test
  void requestsPerSecondHideIt() {
    Band rps = study.rpsRatio("adaptive");
    assertTrue(rps.low() > 0.85 && rps.high() < 1.15, rps::toString);
  }

  @Test
  void thePublishedFiguresLieInTheBandsOfTheModel() {
    assertPublished(PublishedFigures.ROUND_ROBIN);
    assertPublished(PublishedFigures.PREFIX_AWARE);
    assertTrue(study.p95Ratio("prefix_affinity").contains(PublishedFigures.P95_RATIO));
    assertTrue(study.warmRatio("prefix_affinity").contains(PublishedFigures.WARM_RATIO));
  }

  private static void assertPublished(PublishedFigures published) {
    String policy = published.policy();
    assertNear(published.ttftP50Ms(), study.band(policy, run -> run.ttftUs().p50() / 1e3));
    assertNear(published.ttftP95Ms(), study.band(policy, run -> run.ttftUs().p95() / 1e3));
    assertNear(
        published.meanTtftMsByTurn().get(0), study.band(policy, run -> run.coldMeanTtftUs() / 1e3));
  }

  /** One published run of 110 requests: inside the band, or within 10 % of it. */
  private static void assertNear(double published, Band band) {
    assertTrue(
        published >= 0.9 * band.low() && published <= 1.1 * band.high(),
        published + " against " + band);
  }

  @Test
  void theSameSeedsGiveTheSameFigures() {
    FoundingStudy again =
        FoundingStudy.run(
            FoundingStudy.Plan.of(List.of("round_robin", "adaptive"), 5, 1), done -> {});
    assertEquals(study.byPolicy().get("adaptive").subList(0, 5), again.byPolicy().get("adaptive"));
  }

  @Test
  void withOneReplicaEveryPolicyMeasuresTheSame() {
    List<List<FoundingRequest>> results = new ArrayList<>();
    for (String name : Policies.names()) {
      String policy = name.replace("blend:W", "blend:0.5");
      results.add(
          FoundingSimulation.run(
              FoundingWorkload.generate(2),
              EngineProfile.load("founding"),
              FleetOptions.of(1, 0),
              policy));
    }
    results.forEach(result -> assertEquals(results.get(0), result));
  }

  @Test
  void aStudyWithoutRoundRobinHasNothingToCompareWith() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> FoundingStudy.Plan.of(List.of("adaptive"), 1, 1));
    assertTrue(e.getMessage().contains("round_robin"), e.getMessage());
  }
}
