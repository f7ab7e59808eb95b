package io.warmpath.replica.kvevents;

import java.nio.charset.StandardCharsets;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * Sends batches to whoever subscribed, as {@code [topic, number, payload]}. A subscriber that does
 * not read loses what comes when its high-water mark is reached.
 */
final class PublishSocket implements AutoCloseable {

  /** Of what subscribers send: a topic and a byte. */
  private static final int MAX_SUBSCRIPTION_BYTES = 1_024;

  /** Some connections of jeromq 0.6.0 never begin to shake hands (zeromq/jeromq#1022). */
  private static final int HANDSHAKE_MS = 1_000;

  private final ZContext context = new ZContext();
  private final ZMQ.Socket socket;
  private final byte[] topic;

  /**
   * Listens, or connects, which need not succeed yet.
   *
   * @throws org.zeromq.ZMQException if it cannot
   */
  PublishSocket(KvEventsConfig config) {
    topic = config.topic().getBytes(StandardCharsets.UTF_8);
    socket = context.createSocket(SocketType.PUB);
    socket.setLinger(0);
    socket.setSndHWM(config.hwm());
    socket.setMaxMsgSize(MAX_SUBSCRIPTION_BYTES);
    socket.setHandshakeIvl(HANDSHAKE_MS);
    try {
      switch (config.socket()) {
        case BIND -> socket.bind(config.endpoint());
        case CONNECT -> socket.connect(config.endpoint());
      }
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  /** Where it listens, or whom it connects to. */
  String endpoint() {
    return socket.getLastEndpoint();
  }

  void send(KvEventBatch batch) {
    socket.send(topic, ZMQ.SNDMORE);
    socket.send(KvEventBatch.frame(batch.seq()), ZMQ.SNDMORE);
    socket.send(batch.payload(), 0);
  }

  @Override
  public void close() {
    context.close();
  }
}
