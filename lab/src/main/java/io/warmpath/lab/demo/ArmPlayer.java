package io.warmpath.lab.demo;

import io.warmpath.lab.client.CompletionClient;
import io.warmpath.lab.follow.TopicHistory;
import io.warmpath.lab.founding.FoundingWorkload;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.stats.RoutingStats;
import io.warmpath.schemas.topic.Topics;
import java.net.URI;
import java.time.Duration;
import java.util.function.IntConsumer;

/**
 * Plays arms of the founding experiment on a running stack, wherever its parts run, and takes their
 * figures from the topics. Caches must be cold and the balancer's policy be the arm's: that is up
 * to whoever plays.
 */
public final class ArmPlayer implements AutoCloseable {

  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

  private final double timeScale;
  private final TopicHistory<RequestEvent> requests;
  private final TopicHistory<RoutingStats> stats;

  private ArmPlayer(
      double timeScale, TopicHistory<RequestEvent> requests, TopicHistory<RoutingStats> stats) {
    this.timeScale = timeScale;
    this.requests = requests;
    this.stats = stats;
  }

  /**
   * Begins to follow the topics.
   *
   * @param bootstrapServers where Kafka clients connect
   * @param timeScale how many times faster than the model the stack runs
   */
  public static ArmPlayer follow(String bootstrapServers, double timeScale) {
    return new ArmPlayer(
        timeScale,
        TopicHistory.follow(bootstrapServers, Topics.REQUESTS, Codecs.REQUEST_EVENT),
        TopicHistory.follow(bootstrapServers, Topics.ROUTING_STATS, Codecs.ROUTING_STATS));
  }

  /**
   * Sends chats that belong to no arm. The balancer's policy must be none of the arms' meanwhile.
   *
   * @throws IllegalStateException if one fails
   */
  public void warmUp(URI balancer, long seed) {
    try (CompletionClient client = new CompletionClient(balancer, ANSWER_TIMEOUT)) {
      WarmUp.play(client, seed);
    }
  }

  /**
   * Plays an arm and waits until the topics hold all of it.
   *
   * @param policy what the balancer routes by, and name of the arm
   * @param progress told how many requests are answered
   * @throws IllegalStateException if a request fails, or the topics do not hold the arm in time
   */
  public ArmFigures play(
      String policy, FoundingWorkload workload, URI balancer, IntConsumer progress) {
    long wakeUpDelayP99Us;
    try (CompletionClient client = new CompletionClient(balancer, ANSWER_TIMEOUT);
        WakeUpDelay delay = WakeUpDelay.start()) {
      new ConversationPlayer(client, timeScale, policy, progress).play(workload);
      wakeUpDelayP99Us = delay.p99Micros();
    }
    return new ArmMeasurement(requests, stats, timeScale).measure(policy, wakeUpDelayP99Us);
  }

  @Override
  public void close() {
    requests.close();
    stats.close();
  }
}
