package io.warmpath.lab.demo;

import io.warmpath.lab.client.CompletionClient;
import io.warmpath.lab.demo.DemoReport.RatioBand;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.founding.Band;
import io.warmpath.lab.founding.FoundingStudy;
import io.warmpath.lab.founding.FoundingWorkload;
import io.warmpath.lab.founding.PublishedFigures;
import io.warmpath.lab.stack.StackConfig;
import io.warmpath.lab.stack.WarmpathStack;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.topic.Topics;
import io.warmpath.schemas.weights.RoutingWeights;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The founding experiment on a running stack: one arm a policy, each with cold caches and a
 * balancer that knows nothing yet, then a replica that becomes slow. All figures are read from the
 * topics.
 */
public final class Demo {

  /** The arms, in order; the first is what the others are compared with. */
  public static final List<String> POLICIES = List.of("round_robin", "prefix_affinity", "adaptive");

  private static final String BASELINE = POLICIES.get(0);
  private static final String LEARNING = POLICIES.get(2);
  private static final int STUDY_RUNS = 200;
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

  private final WarmpathStack stack;
  private final long seed;
  private final DemoScreen screen;
  private final ArmPlayer player;
  private final TopicHistory<RoutingWeights> weights;

  private Demo(
      WarmpathStack stack,
      long seed,
      DemoScreen screen,
      ArmPlayer player,
      TopicHistory<RoutingWeights> weights) {
    this.stack = stack;
    this.seed = seed;
    this.screen = screen;
    this.player = player;
    this.weights = weights;
  }

  /**
   * Plays all of it.
   *
   * @throws IllegalStateException if something breaks, such as a request that fails
   */
  public static DemoReport play(WarmpathStack stack, long seed, DemoScreen screen) {
    String kafka = stack.bootstrapServers();
    try (ArmPlayer player = ArmPlayer.follow(kafka, stack.config().timeScale());
        TopicHistory<RoutingWeights> weights =
            TopicHistory.follow(kafka, Topics.ROUTING_WEIGHTS, Codecs.ROUTING_WEIGHTS)) {
      return new Demo(stack, seed, screen, player, weights).play();
    }
  }

  private DemoReport play() {
    long startNanos = System.nanoTime();
    warmUp();
    FoundingWorkload workload = FoundingWorkload.generate(seed);
    List<ArmFigures> arms = new ArrayList<>();
    for (String policy : POLICIES) {
      ArmFigures arm = arm(policy, workload);
      arms.add(policy.equals(BASELINE) ? arm : arm.comparedWith(arms.get(0)));
      screen.armDone(arms.get(arms.size() - 1));
    }
    screen.comparison(arms);
    SlowdownFigures slowdown = slowdown();
    screen.slowdown(slowdown);
    List<RatioBand> bands = bands(arms);
    DemoReport report =
        new DemoReport(
            seed,
            stack.config().profile().name(),
            stack.config().timeScale(),
            stack.config().replicas(),
            arms,
            bands,
            slowdown,
            Promises.of(arms, arm(arms, BASELINE), arm(arms, LEARNING), bands.get(1), slowdown),
            (System.nanoTime() - startNanos) / 1e9);
    screen.verdict(report);
    return report;
  }

  private void warmUp() {
    screen.note("Warming up …");
    stack.fleet().setPolicy(WarmUp.POLICY);
    // Other conversations than those of the arms.
    player.warmUp(stack.balancer(), seed + 1);
  }

  private ArmFigures arm(String policy, FoundingWorkload workload) {
    stack.startAfresh(policy);
    screen.armStarts(policy);
    return player.play(
        policy,
        workload,
        stack.balancer(),
        answered -> screen.armProgress(policy, answered, FoundingWorkload.REQUESTS));
  }

  private static ArmFigures arm(List<ArmFigures> arms, String policy) {
    return arms.stream().filter(arm -> arm.policy().equals(policy)).findFirst().orElseThrow();
  }

  private SlowdownFigures slowdown() {
    String slow = StackConfig.replicaName(stack.config().replicas() - 1);
    screen.slowdownStarts(slow);
    try (CompletionClient client = new CompletionClient(stack.balancer(), ANSWER_TIMEOUT)) {
      return new SlowdownAct(stack.fleet(), weights, slow, screen::note)
          .play(client, stack.config().replicas(), seed);
    }
  }

  private List<RatioBand> bands(List<ArmFigures> arms) {
    screen.note("The same experiment in virtual time, over " + STUDY_RUNS + " seeds …");
    FoundingStudy study =
        FoundingStudy.run(FoundingStudy.Plan.of(POLICIES, STUDY_RUNS, 1), done -> {});
    return POLICIES.stream()
        .filter(policy -> !policy.equals(BASELINE))
        .map(policy -> ratioBand(arm(arms, policy), study.p95Ratio(policy)))
        .toList();
  }

  private static RatioBand ratioBand(ArmFigures arm, Band band) {
    double measured = arm.toRoundRobin().ttftP95();
    return new RatioBand(
        arm.policy(),
        STUDY_RUNS,
        band,
        measured,
        band.contains(measured),
        PublishedFigures.P95_RATIO,
        band.contains(PublishedFigures.P95_RATIO));
  }
}
