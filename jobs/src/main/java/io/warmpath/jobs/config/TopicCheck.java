package io.warmpath.jobs.config;

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

/** Looks, before a job starts, whether the broker answers and the topics are there. */
public final class TopicCheck {

  /** A job that cannot start says so within 10 s, and its process wants some of them. */
  private static final Duration PATIENCE = Duration.ofSeconds(7);

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

  static void require(KafkaSettings kafka, List<String> topics, Duration patience) {
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
    } catch (TimeoutException e) {
      throw new IllegalArgumentException(
          "--bootstrap-servers: no answer from "
              + kafka.bootstrapServers()
              + " within "
              + patienceMs
              + " ms",
          e);
    } catch (KafkaException e) {
      throw new IllegalArgumentException("--bootstrap-servers or --kafka.*: " + rootMessage(e), e);
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
