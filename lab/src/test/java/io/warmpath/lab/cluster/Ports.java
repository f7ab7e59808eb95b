package io.warmpath.lab.cluster;

import io.warmpath.lab.embedded.KafkaNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports for servers that must come back on the same one. */
final class Ports {

  private Ports() {}

  /** One that nobody listens on now. */
  static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(KafkaNode.HOST))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    }
  }
}
