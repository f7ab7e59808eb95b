package io.warmpath.bench.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection whose messages are short enough that the kernel always takes them whole. */
final class Connection {

  private final SocketChannel channel;

  Connection(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Writes bytes. Safe for concurrent use, though not by two who both mean to write now.
   *
   * @throws IOException if the other end is gone, or does not read
   */
  void write(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    if (channel.write(bytes) < length) {
      throw new IOException("the connection takes no more bytes");
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is of no more use either way.
    }
  }
}
