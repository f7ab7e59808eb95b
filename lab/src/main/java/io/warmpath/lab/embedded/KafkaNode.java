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
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A Kafka node on loopback that is broker and controller, alone in its cluster. */
public final class KafkaNode {

  /** Where it listens. */
  public static final String HOST = "127.0.0.1";

  private static final int NODE_ID = 1;

  /** The same always, so that a folder can be started on again. */
  private static final String CLUSTER_ID = "d2FybXBhdGgtY2x1c3Rlcg";

  private static final String CONTROLLER = "CONTROLLER";

  private KafkaNode() {}

  /** A port that nobody listens on now. */
  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on " + HOST, e);
    }
  }

  /**
   * Makes a folder ready for a node; one that is ready stays as it is.
   *
   * @throws KafkaException if it cannot
   */
  public static void format(Path folder) {
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

  /**
   * Its configuration. Every value is text: Kafka refuses others.
   *
   * @param port where clients connect
   * @param controllerPort where the node finds its own controller
   * @param folder where it keeps its data
   */
  public static Properties properties(int port, int controllerPort, Path folder) {
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
}
