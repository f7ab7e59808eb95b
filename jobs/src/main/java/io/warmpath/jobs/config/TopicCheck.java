package io.warmpath.jobs.config;

import io.warmpath.jobs.types.RecordKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Looks, before a job starts, whether the broker answers, the topics are there, and those that it
 * reads hold what it can read.
 */
public final class TopicCheck {

  /** A job that cannot start says so within 10 s, and its process wants some of them. */
  private static final Duration PATIENCE = Duration.ofSeconds(7);

  /** What is left for a look into the topics after a broker took its time to name them. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  private TopicCheck() {}

  /**
   * Returns if all is there.
   *
   * @throws IllegalArgumentException if not; the message begins with the option, and names the
   *     topic
   */
  public static void require(KafkaSettings kafka, List<String> topics) {
    require(kafka, topics, PATIENCE);
  }

  /**
   * Returns if all is there, and the newest record of each input is one of its kind, as far as it
   * says.
   *
   * @param topics all that the job needs
   * @param inputs the kinds of records that it reads, by topic
   * @throws IllegalArgumentException if not; the message begins with the option, and names the
   *     topic
   */
  public static void require(
      KafkaSettings kafka, List<String> topics, Map<String, RecordKind<?>> inputs) {
    long startNanos = System.nanoTime();
    require(kafka, topics, PATIENCE);
    Duration left = PATIENCE.minusNanos(System.nanoTime() - startNanos);
    Duration patience = left.compareTo(LEAST) < 0 ? LEAST : left;
    orNamed(kafka, PATIENCE, () -> SchemaCheck.require(kafka, inputs, patience));
  }

  static void require(KafkaSettings kafka, List<String> topics, Duration patience) {
    orNamed(kafka, patience, () -> requireTopics(kafka, topics, patience));
  }

  private interface Look {
    void atTheBroker() throws TimeoutException;
  }

  /** Calls what goes wrong by the option that is to blame. */
  private static void orNamed(KafkaSettings kafka, Duration patience, Look look) {
    try {
      look.atTheBroker();
    } catch (TimeoutException | org.apache.kafka.common.errors.TimeoutException e) {
      throw new IllegalArgumentException(
          "--bootstrap-servers: no answer from "
              + kafka.bootstrapServers()
              + " within "
              + patience.toMillis()
              + " ms",
          e);
    } catch (KafkaException e) {
      throw new IllegalArgumentException("--bootstrap-servers or --kafka.*: " + rootMessage(e), e);
    }
  }

  private static void requireTopics(KafkaSettings kafka, List<String> topics, Duration patience)
      throws TimeoutException {
    Properties properties = kafka.toProperties();
    properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    int patienceMs = (int) patience.toMillis();
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patienceMs);
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, patienceMs / 2);
    long deadlineNanos = System.nanoTime() + patience.toNanos();
    try (Admin admin = Admin.create(properties)) {
      Map<String, KafkaFuture<TopicDescription>> answers =
          admin.describeTopics(topics).topicNameValues();
      for (String topic : topics) {
        if (!exists(answers.get(topic), deadlineNanos)) {
          throw new IllegalArgumentException(
              "--bootstrap-servers: topic "
                  + topic
                  + " does not exist at "
                  + kafka.bootstrapServers()
                  + "; create it with 'warmpath topics'");
        }
      }
    }
  }

  private static boolean exists(KafkaFuture<TopicDescription> answer, long deadlineNanos)
      throws TimeoutException {
    try {
      answer.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
        throw timedOut(e.getCause());
      }
      throw new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while looking for topics", e);
    }
  }

  private static TimeoutException timedOut(Throwable cause) {
    TimeoutException timedOut = new TimeoutException(cause.getMessage());
    timedOut.initCause(cause);
    return timedOut;
  }

  private static String rootMessage(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage();
  }
}
