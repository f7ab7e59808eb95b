package io.warmpath.console.export;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HAProxy's runtime API: a line of commands goes in, their answers come out, the connection ends.
 *
 * @param address where its {@code stats socket} with {@code level admin} listens
 */
public record HaproxySocket(SocketAddress address) {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MAX_ANSWER_BYTES = 16 << 20;
  private static final Pattern TCP = Pattern.compile("(.+):(\\d{1,5})");

  /** Reads {@code HOST:PORT}, else takes the text for the path of a Unix socket. */
  public static HaproxySocket parse(String text) {
    Matcher tcp = TCP.matcher(text);
    if (!text.contains("/") && tcp.matches()) {
      return new HaproxySocket(new InetSocketAddress(tcp.group(1), Integer.parseInt(tcp.group(2))));
    }
    return new HaproxySocket(UnixDomainSocketAddress.of(text));
  }

  /**
   * Asks.
   *
   * @param line commands, separated by semicolons
   * @return all answers; of a command that has nothing to say, an empty line
   * @throws IOException if it cannot be reached or takes more than 5 s
   */
  String ask(String line) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    boolean unix = address instanceof UnixDomainSocketAddress;
    try (SocketChannel channel =
            unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        Selector selector = Selector.open()) {
      channel.configureBlocking(false);
      SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
      if (!channel.connect(address)) {
        do {
          await(selector, deadline);
        } while (!channel.finishConnect());
      }
      ByteBuffer out = StandardCharsets.US_ASCII.encode(line + "\n");
      key.interestOps(SelectionKey.OP_WRITE);
      while (out.hasRemaining()) {
        if (channel.write(out) == 0) {
          await(selector, deadline);
        }
      }
      key.interestOps(SelectionKey.OP_READ);
      return read(channel, selector, deadline);
    } catch (IOException e) {
      throw new IOException("HAProxy at " + address + ": " + e.getMessage(), e);
    }
  }

  private static String read(SocketChannel channel, Selector selector, long deadline)
      throws IOException {
    StringBuilder answer = new StringBuilder();
    ByteBuffer in = ByteBuffer.allocate(16 << 10);
    for (int n = channel.read(in); n >= 0; n = channel.read(in)) {
      if (n == 0) {
        await(selector, deadline);
      }
      answer.append(StandardCharsets.UTF_8.decode(in.flip()));
      in.clear();
      if (answer.length() > MAX_ANSWER_BYTES) {
        throw new IOException("an answer of more than 16 MiB");
      }
    }
    return answer.toString();
  }

  private static void await(Selector selector, long deadline) throws IOException {
    long leftMs = (deadline - System.nanoTime()) / 1_000_000;
    if (leftMs <= 0) {
      throw new IOException("no answer within " + PATIENCE.toSeconds() + " s");
    }
    selector.select(leftMs);
    selector.selectedKeys().clear();
  }
}
