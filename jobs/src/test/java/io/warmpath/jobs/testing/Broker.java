package io.warmpath.jobs.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A Kafka broker in this process, with what tests do to it. */
public final class Broker implements AutoCloseable {

  private static final String HOST = "127.0.0.1";

  private final KafkaRaftServer server;
  private final String bootstrapServers;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;

  public Broker(Path folder) throws Exception {
    int port = freePort();
    int controllerPort = freePort();
    bootstrapServers = HOST + ":" + port;
    new Formatter()
        .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
        .setClusterId("d2FybXBhdGgtY2x1c3Rlcg")
        .setNodeId(1)
        .setControllerListenerName("CONTROLLER")
        .setMetadataLogDirectory(folder.toString())
        .setDirectories(List.of(folder.toString()))
        .setReleaseVersion(MetadataVersion.latestProduction())
        .run();
    server =
        new KafkaRaftServer(
            KafkaConfig.fromProps(properties(port, controllerPort, folder)), Time.SYSTEM);
    server.startup();
    admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "linger.ms", "0"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  private static Properties properties(int port, int controllerPort, Path folder) {
    Properties properties = new Properties();
    Map.of(
            "process.roles", "broker,controller",
            "node.id", "1",
            "controller.quorum.voters", "1@" + HOST + ":" + controllerPort,
            "controller.listener.names", "CONTROLLER",
            "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "listeners",
                "PLAINTEXT://" + HOST + ":" + port + ",CONTROLLER://" + HOST + ":" + controllerPort,
            "advertised.listeners", "PLAINTEXT://" + HOST + ":" + port,
            "log.dirs", folder.toString(),
            "auto.create.topics.enable", "false",
            "group.initial.rebalance.delay.ms", "0")
        .forEach(properties::setProperty);
    for (String topic :
        List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
      properties.setProperty(topic + ".replication.factor", "1");
      properties.setProperty(topic + ".num.partitions", "1");
    }
    properties.setProperty("transaction.state.log.min.isr", "1");
    properties.setProperty("share.coordinator.state.topic.min.isr", "1");
    return properties;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }

  public String bootstrapServers() {
    return bootstrapServers;
  }

  public void createTopic(String topic, int partitions) throws Exception {
    admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
  }

  /** Writes a record; errors come with {@link #flush}. */
  public void send(String topic, String key, byte[] value) {
    producer.send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value));
  }

  /** Writes a record to a partition, as of a time; errors come with {@link #flush}. */
  public void send(String topic, int partition, long timestampMs, byte[] value) {
    producer.send(new ProducerRecord<>(topic, partition, timestampMs, null, value));
  }

  /** Writes a record as it is; errors come with {@link #flush}. */
  public void send(ProducerRecord<byte[], byte[]> record) {
    producer.send(record);
  }

  public void flush() {
    producer.flush();
  }

  /** All records of a topic from its beginning, up to the first one that {@code last} accepts. */
  public List<ConsumerRecord<byte[], byte[]>> readUntil(
      String topic, Duration patience, Predicate<ConsumerRecord<byte[], byte[]>> last) {
    Map<String, Object> properties =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest");
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    long deadline = System.nanoTime() + patience.toNanos();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList());
      while (System.nanoTime() < deadline) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          records.add(record);
          if (last.test(record)) {
            return records;
          }
        }
      }
    }
    throw new AssertionError(
        "no such record on " + topic + " among " + records.size() + " within " + patience);
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(1));
    admin.close(Duration.ofSeconds(1));
    server.shutdown();
    server.awaitShutdown();
  }
}
