package io.warmpath.lab.topics;

import io.warmpath.schemas.topic.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates missing topics and names what differs in existing ones, which it never changes. */
public final class TopicCreator implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(20);

  private final Admin admin;

  /**
   * @param properties properties of Kafka clients, {@code bootstrap.servers} among them
   */
  public TopicCreator(Map<String, Object> properties) {
    admin = Admin.create(properties);
  }

  /**
   * Creates what is missing.
   *
   * @param replication copies of each partition; −1 takes the broker's default
   * @throws IllegalStateException if the brokers do not answer or refuse
   */
  public TopicReport create(List<TopicSpec> specs, short replication) {
    Set<String> existing = existing();
    List<TopicSpec> missing = specs.stream().filter(s -> !existing.contains(s.name())).toList();
    List<String> created = new ArrayList<>();
    for (TopicSpec spec : missing) {
      if (createOne(spec, replication)) {
        created.add(spec.name());
      }
    }
    awaitVisible(specs.stream().map(TopicSpec::name).toList());
    List<TopicSpec> before = specs.stream().filter(spec -> !created.contains(spec.name())).toList();
    return compare(before, created, List.of());
  }

  /**
   * Compares only.
   *
   * @throws IllegalStateException if the brokers do not answer or refuse
   */
  public TopicReport check(List<TopicSpec> specs) {
    Set<String> existing = existing();
    Map<Boolean, List<TopicSpec>> byPresence =
        specs.stream().collect(Collectors.partitioningBy(s -> existing.contains(s.name())));
    return compare(
        byPresence.get(true),
        List.of(),
        byPresence.get(false).stream().map(TopicSpec::name).toList());
  }

  private Set<String> existing() {
    return await(admin.listTopics().names(), "list topics");
  }

  private boolean createOne(TopicSpec spec, short replication) {
    NewTopic topic = new NewTopic(spec.name(), spec.partitions(), replication);
    topic.configs(spec.settings());
    try {
      await(admin.createTopics(List.of(topic)).all(), "create " + spec.name());
      return true;
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof TopicExistsException) {
        // Another one was faster: then it is compared like any existing topic.
        return false;
      }
      throw e;
    }
  }

  /** The controller creates, also for others; brokers learn of it a moment later. */
  private void awaitVisible(List<String> topics) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!existing().containsAll(topics)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("cannot create topics: they do not appear");
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private TopicReport compare(List<TopicSpec> specs, List<String> created, List<String> missing) {
    Map<String, TopicDescription> topics = describe(specs);
    Map<String, Config> settings = settings(specs);
    List<String> matching = new ArrayList<>();
    List<TopicDifference> differences = new ArrayList<>();
    for (TopicSpec spec : specs) {
      List<TopicDifference> found =
          differences(spec, topics.get(spec.name()), settings.get(spec.name()));
      differences.addAll(found);
      if (found.isEmpty()) {
        matching.add(spec.name());
      }
    }
    return new TopicReport(created, missing, matching, differences);
  }

  private Map<String, TopicDescription> describe(List<TopicSpec> specs) {
    List<String> names = specs.stream().map(TopicSpec::name).toList();
    return await(admin.describeTopics(names).allTopicNames(), "describe topics");
  }

  private Map<String, Config> settings(List<TopicSpec> specs) {
    List<ConfigResource> resources =
        specs.stream().map(s -> new ConfigResource(ConfigResource.Type.TOPIC, s.name())).toList();
    return await(admin.describeConfigs(resources).all(), "describe settings").entrySet().stream()
        .collect(Collectors.toMap(entry -> entry.getKey().name(), Map.Entry::getValue));
  }

  private static List<TopicDifference> differences(
      TopicSpec spec, TopicDescription topic, Config settings) {
    List<TopicDifference> differences = new ArrayList<>();
    int partitions = topic.partitions().size();
    if (partitions < spec.partitions()) {
      differences.add(
          new TopicDifference(
              spec.name(),
              "partitions",
              "at least " + spec.partitions(),
              Integer.toString(partitions)));
    }
    Function<String, String> found =
        name -> {
          ConfigEntry entry = settings.get(name);
          return entry == null || entry.value() == null ? "unset" : entry.value();
        };
    spec.settings()
        .forEach(
            (name, expected) -> {
              if (!found.apply(name).equals(expected)) {
                differences.add(
                    new TopicDifference(spec.name(), name, expected, found.apply(name)));
              }
            });
    return differences;
  }

  private static <T> T await(KafkaFuture<T> future, String what) {
    try {
      return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "cannot " + what + ": " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "cannot " + what + ": no answer within " + PATIENCE.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("cannot " + what + ": interrupted", e);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(5));
  }
}
