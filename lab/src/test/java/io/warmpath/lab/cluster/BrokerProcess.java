package io.warmpath.lab.cluster;

import io.warmpath.lab.Await;
import io.warmpath.lab.embedded.KafkaNode;
import io.warmpath.lab.topics.TopicCreator;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/** A Kafka broker in a JVM of its own, on a folder that outlives it. */
final class BrokerProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int HEAP_MIB = 768;

  private final Path folder;
  private final Path settings;
  private final int port;
  private JavaProcess process;

  private BrokerProcess(Path folder, Path settings, int port) {
    this.folder = folder;
    this.settings = settings;
    this.port = port;
  }

  /** Starts a broker with all of Warmpath's topics. */
  static BrokerProcess start(Path folder) throws IOException {
    int port = KafkaNode.freePort();
    Path data = Files.createDirectories(folder.resolve("kafka"));
    KafkaNode.format(data);
    Properties properties = KafkaNode.properties(port, KafkaNode.freePort(), data);
    Path settings = folder.resolve("server.properties");
    try (Writer out = Files.newBufferedWriter(settings)) {
      properties.store(out, null);
    }
    BrokerProcess broker = new BrokerProcess(folder, settings, port);
    broker.restart();
    try (TopicCreator topics = new TopicCreator(broker.clientProperties())) {
      topics.create(Topics.ALL, (short) 1);
    }
    return broker;
  }

  /** Starts it on what it had, and waits until it answers. */
  void restart() {
    process =
        JavaProcess.start(
            "broker",
            folder,
            HEAP_MIB,
            ClassPath.all(),
            List.of("kafka.Kafka", settings.toString()));
    try (Admin admin = Admin.create(clientProperties())) {
      Await.until(
          "broker answers",
          PATIENCE,
          () -> {
            process.requireAlive();
            return !admin.describeCluster().nodes().get(2, TimeUnit.SECONDS).isEmpty();
          });
    }
  }

  void kill() {
    process.kill();
  }

  String bootstrapServers() {
    return KafkaNode.HOST + ":" + port;
  }

  private Map<String, Object> clientProperties() {
    return Map.of("bootstrap.servers", bootstrapServers());
  }

  @Override
  public void close() {
    process.close();
  }
}
