package io.warmpath.lab.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A Kafka broker (KRaft, broker and controller in one node) inside this process, on loopback. */
public final class EmbeddedKafka implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final int NODE_ID = 1;

  /** The same always, so that a folder can be started on again. */
  private static final String CLUSTER_ID = "d2FybXBhdGgtY2x1c3Rlcg";

  private static final String CONTROLLER = "CONTROLLER";
  private static final int CONTROLLER_PORT_TRIES = 3;

  private final KafkaRaftServer server;
  private final DataFolder data;
  private final int port;

  private EmbeddedKafka(KafkaRaftServer server, DataFolder data, int port) {
    this.server = server;
    this.data = data;
    this.port = port;
  }

  /**
   * Starts a broker whose data are deleted when it closes.
   *
   * @param port port to listen on; 0 takes a free one
   * @throws IllegalStateException if it cannot start, with the reason
   */
  public static EmbeddedKafka start(int port) {
    return start(port, DataFolder.temporary("kafka"));
  }

  /**
   * Starts a broker on a folder that stays: topics, records and offsets of an earlier broker on it
   * are there again.
   *
   * @param port port to listen on; 0 takes a free one
   * @throws IllegalStateException if it cannot start, with the reason
   */
  public static EmbeddedKafka start(int port, Path folder) {
    return start(port, DataFolder.kept(folder));
  }

  private static EmbeddedKafka start(int port, DataFolder data) {
    int brokerPort = port == 0 ? freePort() : port;
    RuntimeException failure = null;
    for (int tries = 0; tries < CONTROLLER_PORT_TRIES; tries++) {
      // Found free, but someone may take it before the controller does: then another.
      Properties properties = properties(brokerPort, freePort(), data.path());
      KafkaRaftServer server = null;
      try {
        format(data.path());
        server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
        server.startup();
        return new EmbeddedKafka(server, data, brokerPort);
      } catch (RuntimeException e) {
        failure = e;
        closeFailed(server, e);
        if (!isPortTaken(e) || isTaken(brokerPort)) {
          break;
        }
      }
    }
    data.close();
    throw new IllegalStateException(
        "Kafka cannot start on " + HOST + ":" + brokerPort + ": " + rootMessage(failure), failure);
  }

  private static void closeFailed(Server server, RuntimeException cause) {
    if (server != null) {
      try {
        server.shutdown();
        server.awaitShutdown();
      } catch (RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
  }

  private static void format(Path folder) {
    try {
      new Formatter()
          .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
          .setClusterId(CLUSTER_ID)
          .setNodeId(NODE_ID)
          .setControllerListenerName(CONTROLLER)
          .setMetadataLogDirectory(folder.toString())
          .setDirectories(List.of(folder.toString()))
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setIgnoreFormatted(true)
          .run();
    } catch (Exception e) {
      throw new KafkaException("cannot format " + folder + ": " + e.getMessage(), e);
    }
  }

  /** Every value is text: Kafka refuses others. */
  private static Properties properties(int port, int controllerPort, Path folder) {
    Properties properties = new Properties();
    properties.setProperty("process.roles", "broker,controller");
    properties.setProperty("node.id", Integer.toString(NODE_ID));
    // A static quorum is configuration, not data: the controller's port may change.
    properties.setProperty("controller.quorum.voters", NODE_ID + "@" + HOST + ":" + controllerPort);
    properties.setProperty("controller.listener.names", CONTROLLER);
    properties.setProperty("inter.broker.listener.name", "CLIENT");
    properties.setProperty(
        "listener.security.protocol.map", "CLIENT:PLAINTEXT," + CONTROLLER + ":PLAINTEXT");
    properties.setProperty(
        "listeners",
        "CLIENT://" + HOST + ":" + port + "," + CONTROLLER + "://" + HOST + ":" + controllerPort);
    properties.setProperty("advertised.listeners", "CLIENT://" + HOST + ":" + port);
    properties.setProperty("log.dirs", folder.toString());
    properties.setProperty("auto.create.topics.enable", "false");
    properties.setProperty("offsets.topic.replication.factor", "1");
    properties.setProperty("offsets.topic.num.partitions", "1");
    properties.setProperty("transaction.state.log.replication.factor", "1");
    properties.setProperty("transaction.state.log.num.partitions", "1");
    properties.setProperty("transaction.state.log.min.isr", "1");
    properties.setProperty("share.coordinator.state.topic.replication.factor", "1");
    properties.setProperty("share.coordinator.state.topic.num.partitions", "1");
    properties.setProperty("share.coordinator.state.topic.min.isr", "1");
    properties.setProperty("group.initial.rebalance.delay.ms", "0");
    properties.setProperty("num.network.threads", "2");
    properties.setProperty("num.io.threads", "2");
    properties.setProperty("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));
    return properties;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on " + HOST, e);
    }
  }

  private static boolean isTaken(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort() != port;
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean isPortTaken(Throwable failure) {
    return rootMessage(failure).contains("Address already in use");
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }

  /** Where clients connect, {@code host:port}. */
  public String bootstrapServers() {
    return HOST + ":" + port;
  }

  /** The port that clients connect to. */
  public int port() {
    return port;
  }

  /** Stops the broker, and waits until it has stopped. */
  @Override
  public void close() {
    try {
      server.shutdown();
      server.awaitShutdown();
    } finally {
      data.close();
    }
  }
}
