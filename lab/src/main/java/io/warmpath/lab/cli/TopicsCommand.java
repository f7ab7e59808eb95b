package io.warmpath.lab.cli;

import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.lab.topics.TopicDifference;
import io.warmpath.lab.topics.TopicReport;
import io.warmpath.schemas.topic.TopicSpec;
import io.warmpath.schemas.topic.Topics;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates topics, and checks those that exist. */
@Command(
    name = "topics",
    description = {
      "Creates and checks topics.",
      "Creates those that are missing, and names what differs in those that exist, which are never"
          + " changed. Fails (1) if one is missing or differs."
    },
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:failed, or a topic is not as it should be"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath topics --bootstrap-servers localhost:9092",
      "  warmpath topics --bootstrap-servers k1:9092,k2:9092,k3:9092 --replication 3",
      "  warmpath topics --bootstrap-servers localhost:9092 --check",
      "  warmpath topics --bootstrap-servers localhost:9092 --partitions llm.requests=24"
    })
final class TopicsCommand implements Callable<Integer> {

  @Mixin private KafkaOptions kafka;

  @Option(names = "--check", description = "Only compare, create nothing.")
  private boolean check;

  @Option(
      names = "--replication",
      paramLabel = "N",
      defaultValue = "-1",
      description =
          "Copies of each partition of created topics; the broker's default if not given.")
  private short replication;

  @Option(
      names = "--partitions",
      paramLabel = "TOPIC=N",
      split = ",",
      description = "Partitions of a topic, other than its default.")
  private Map<String, Integer> partitions = Map.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    List<TopicSpec> topics = topics();
    if (replication == 0 || replication < -1) {
      throw new IllegalArgumentException("--replication must be at least 1");
    }
    TopicReport report;
    try (TopicCreator creator = new TopicCreator(kafka.properties())) {
      report = check ? creator.check(topics) : creator.create(topics, replication);
    }
    print(report, spec.commandLine().getOut());
    return report.good() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private List<TopicSpec> topics() {
    partitions.forEach(
        (topic, count) -> {
          if (Topics.ALL.stream().noneMatch(spec -> spec.name().equals(topic))) {
            throw new IllegalArgumentException("--partitions: unknown topic " + topic);
          }
          if (count < 1) {
            throw new IllegalArgumentException("--partitions: " + topic + " needs at least 1");
          }
        });
    return Topics.ALL.stream()
        .map(spec -> spec.withPartitions(partitions.getOrDefault(spec.name(), spec.partitions())))
        .toList();
  }

  private static void print(TopicReport report, PrintWriter out) {
    report.created().forEach(topic -> out.println("created   " + topic));
    report.matching().forEach(topic -> out.println("matches   " + topic));
    report.missing().forEach(topic -> out.println("missing   " + topic));
    for (TopicDifference difference : report.differences()) {
      out.println("differs   " + difference);
    }
    out.flush();
  }
}
