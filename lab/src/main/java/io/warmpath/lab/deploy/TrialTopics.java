package io.warmpath.lab.deploy;

import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.schemas.topic.TopicSpec;
import io.warmpath.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topics and the consumer group that a candidate has to itself. */
final class TrialTopics implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Admin admin;
  private final Map<String, Object> kafka;

  TrialTopics(Map<String, Object> kafka) {
    this.kafka = Map.copyOf(kafka);
    admin = Admin.create(this.kafka);
  }

  /**
   * Partitions of each of Warmpath's topics that is there.
   *
   * @throws IllegalStateException if the brokers do not answer
   */
  Map<String, Integer> partitions() throws InterruptedException {
    Map<String, Integer> partitions = new HashMap<>();
    Map<String, KafkaFuture<TopicDescription>> answers =
        admin.describeTopics(DeployedJob.ALL_TOPICS).topicNameValues();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> answer : answers.entrySet()) {
      try {
        partitions.put(answer.getKey(), await(answer.getValue()).partitions().size());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw failed("describe " + answer.getKey(), e.getCause());
        }
      }
    }
    return partitions;
  }

  /** Creates a candidate's topics: as many partitions as the running job's have. */
  void create(DeployedJob job, Map<String, Integer> partitions) {
    try (TopicCreator creator = new TopicCreator(kafka)) {
      creator.create(specs(job.outputs(), partitions, job.trialSuffix()), (short) -1);
    }
  }

  /** Topics like Warmpath's own, under other names. */
  static List<TopicSpec> specs(
      List<String> topics, Map<String, Integer> partitions, String suffix) {
    List<TopicSpec> specs = new ArrayList<>();
    for (TopicSpec spec : Topics.ALL) {
      if (topics.contains(spec.name())) {
        int count = partitions.getOrDefault(spec.name(), spec.partitions());
        specs.add(
            new TopicSpec(
                spec.name() + suffix,
                count,
                spec.cleanupPolicy(),
                spec.retention(),
                spec.maxMessageBytes()));
      }
    }
    return specs;
  }

  /** Deletes a candidate's topics and group; what is not there is no reason to fail. */
  void delete(DeployedJob job, String group) throws InterruptedException {
    List<String> names = job.outputs().stream().map(topic -> topic + job.trialSuffix()).toList();
    for (KafkaFuture<Void> each : admin.deleteTopics(names).topicNameValues().values()) {
      awaitGone(each, UnknownTopicOrPartitionException.class, "delete topics of the candidate");
    }
    awaitGone(
        admin.deleteConsumerGroups(List.of(group + job.trialSuffix())).all(),
        GroupIdNotFoundException.class,
        "delete the candidate's group");
  }

  private static void awaitGone(
      KafkaFuture<Void> deleted, Class<? extends Exception> alreadyGone, String what)
      throws InterruptedException {
    try {
      await(deleted);
    } catch (ExecutionException e) {
      if (!alreadyGone.isInstance(e.getCause())) {
        throw failed(what, e.getCause());
      }
    }
  }

  private static <T> T await(KafkaFuture<T> future)
      throws ExecutionException, InterruptedException {
    try {
      return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new ExecutionException(e);
    }
  }

  private static IllegalStateException failed(String what, Throwable cause) {
    return new IllegalStateException("Kafka: cannot " + what + ": " + cause.getMessage(), cause);
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(5));
  }
}
