package io.warmpath.lab.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import org.apache.kafka.common.utils.Time;

/** A Kafka broker (KRaft, broker and controller in one node) inside this process, on loopback. */
public final class EmbeddedKafka implements AutoCloseable {

  private static final String HOST = KafkaNode.HOST;
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
    int brokerPort = port == 0 ? KafkaNode.freePort() : port;
    RuntimeException failure = null;
    for (int tries = 0; tries < CONTROLLER_PORT_TRIES; tries++) {
      // Found free, but someone may take it before the controller does: then another.
      Properties properties = KafkaNode.properties(brokerPort, KafkaNode.freePort(), data.path());
      KafkaRaftServer server = null;
      try {
        KafkaNode.format(data.path());
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
