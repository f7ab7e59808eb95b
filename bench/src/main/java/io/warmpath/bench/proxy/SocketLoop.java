package io.warmpath.bench.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Function;

/** A thread that reads many connections, of a server or of clients. */
final class SocketLoop implements AutoCloseable {

  /** Reads one connection; called on the loop's thread. */
  interface Reader {
    /** Bytes came. */
    void read(byte[] bytes, int from, int to) throws IOException;

    /** The other end closed the connection, or it failed. */
    void closed();
  }

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int BACKLOG = 4096;
  private static final String HOST = "127.0.0.1";

  private final Selector selector;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final byte[] bytes = new byte[BUFFER_BYTES];
  private final Thread thread;
  private volatile boolean closing;

  /**
   * @param name name of the thread
   */
  SocketLoop(String name) {
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Listens on a free port of loopback, and returns it.
   *
   * @param readers makes the reader of a client's connection
   */
  int listen(Function<Connection, Reader> readers) {
    try {
      ServerSocketChannel server = ServerSocketChannel.open();
      server.bind(new InetSocketAddress(HOST, 0), BACKLOG);
      server.configureBlocking(false);
      server.register(selector, SelectionKey.OP_ACCEPT, readers);
      selector.wakeup();
      return ((InetSocketAddress) server.getLocalAddress()).getPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Connects to a port of loopback.
   *
   * @throws IOException if nobody listens there
   */
  Connection connect(int port, Function<Connection, Reader> readers) throws IOException {
    SocketChannel channel = SocketChannel.open(new InetSocketAddress(HOST, port));
    Connection connection = register(channel, readers);
    selector.wakeup();
    return connection;
  }

  private Connection register(SocketChannel channel, Function<Connection, Reader> readers)
      throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    Connection connection = new Connection(channel);
    channel.register(selector, SelectionKey.OP_READ, readers.apply(connection));
    return connection;
  }

  private void run() {
    try {
      while (!closing) {
        selector.select(this::ready);
      }
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private void ready(SelectionKey key) {
    try {
      if (key.channel() instanceof ServerSocketChannel server) {
        SocketChannel client = server.accept();
        if (client != null) {
          register(client, (Function<Connection, Reader>) key.attachment());
        }
      } else {
        read((SocketChannel) key.channel(), (Reader) key.attachment());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(SocketChannel channel, Reader reader) throws IOException {
    try {
      buffer.clear();
      int count = channel.read(buffer);
      if (count > 0) {
        buffer.flip().get(bytes, 0, count);
        reader.read(bytes, 0, count);
        return;
      }
    } catch (ClosedChannelException e) {
      // Closed on this side: its reader knows.
      return;
    } catch (IOException e) {
      // As if it were closed.
    }
    channel.close();
    reader.closed();
  }

  /** Closes all connections. */
  @Override
  public void close() {
    closing = true;
    selector.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
