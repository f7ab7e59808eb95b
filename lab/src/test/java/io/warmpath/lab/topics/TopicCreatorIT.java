package io.warmpath.lab.topics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.embedded.EmbeddedKafka;
import io.warmpath.schemas.topic.TopicSpec;
import io.warmpath.schemas.topic.Topics;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TopicCreatorIT {

  private static final short ONE_COPY = 1;

  private static EmbeddedKafka kafka;
  private static TopicCreator creator;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(0);
    creator = new TopicCreator(properties());
  }

  @AfterAll
  static void stop() {
    creator.close();
    kafka.close();
  }

  private static Map<String, Object> properties() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  private static List<TopicSpec> named(String prefix) {
    return Topics.ALL.stream()
        .map(
            spec ->
                new TopicSpec(
                    prefix + spec.name(),
                    spec.partitions(),
                    spec.cleanupPolicy(),
                    spec.retention(),
                    spec.maxMessageBytes()))
        .toList();
  }

  @Test
  void createsWhatIsMissingAndThenFindsNothingToDo() {
    List<TopicSpec> topics = named("fresh.");
    List<String> names = topics.stream().map(TopicSpec::name).toList();

    TopicReport first = creator.create(topics, ONE_COPY);
    assertEquals(names, first.created());
    assertTrue(first.good());

    TopicReport second = creator.create(topics, ONE_COPY);
    assertEquals(List.of(), second.created());
    assertEquals(names, second.matching());
    assertTrue(second.good());
  }

  @Test
  void checkingCreatesNothing() {
    List<TopicSpec> topics = named("unmade.");

    TopicReport report = creator.check(topics);

    assertEquals(topics.stream().map(TopicSpec::name).toList(), report.missing());
    assertFalse(report.good());
    assertEquals(report, creator.check(topics));
  }

  @Test
  void namesEachSettingThatDiffers() throws Exception {
    try (Admin admin = Admin.create(properties())) {
      NewTopic other = new NewTopic("other", 2, ONE_COPY);
      other.configs(Map.of("cleanup.policy", "compact", "max.message.bytes", "1000"));
      admin.createTopics(List.of(other)).all().get();
    }
    TopicSpec wanted =
        new TopicSpec("other", 3, "delete", java.time.Duration.ofHours(24), 1024 * 1024);

    TopicReport report = creator.create(List.of(wanted), ONE_COPY);

    assertEquals(
        List.of(
            "other: partitions is 2, expected at least 3",
            "other: cleanup.policy is compact, expected delete",
            "other: retention.ms is 604800000, expected 86400000",
            "other: max.message.bytes is 1000, expected 1048576"),
        report.differences().stream().map(TopicDifference::toString).toList());
    assertFalse(report.good());
  }

  @Test
  void morePartitionsThanNeededAreFine() {
    TopicSpec wide = Topics.ALL.get(0).withPartitions(8);
    TopicSpec topic = new TopicSpec("wide", 8, wide.cleanupPolicy(), wide.retention(), 1000);
    creator.create(List.of(topic), ONE_COPY);

    assertTrue(creator.check(List.of(topic.withPartitions(2))).good());
  }

  @Test
  void aRefusalNamesTheTopic() {
    TopicSpec wrong = new TopicSpec("no spaces", 1, "delete", java.time.Duration.ofHours(1), 1000);

    IllegalStateException refusal =
        assertThrows(IllegalStateException.class, () -> creator.create(List.of(wrong), ONE_COPY));

    assertTrue(refusal.getMessage().startsWith("cannot create no spaces: "), refusal.getMessage());
  }
}
