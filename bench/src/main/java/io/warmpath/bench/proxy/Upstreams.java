package io.warmpath.bench.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;

/**
 * Replicas that cost next to nothing: one thread, no work but reading a request to its end and
 * writing bytes that are there already.
 */
final class Upstreams implements AutoCloseable {

  private static final ByteBuffer HEALTHY = ByteBuffer.wrap(Answers.healthy());

  private final SocketLoop loop = new SocketLoop("bench-upstreams");
  private final Pacer pacer;
  private final List<Integer> ports;
  private volatile AnswerForm form;
  private volatile ByteBuffer whole;

  /**
   * Starts some.
   *
   * @param streams paced streams at once
   * @param chunks chunks of each
   * @param intervalMs time between them
   */
  Upstreams(int replicas, int streams, int chunks, long intervalMs) {
    pacer = new Pacer(streams, chunks, intervalMs);
    answer(AnswerForm.JSON);
    ports = Stream.generate(() -> loop.listen(Served::new)).limit(replicas).toList();
  }

  /** Their ports on loopback. */
  List<Integer> ports() {
    return ports;
  }

  /** Answers in that form from now on. */
  void answer(AnswerForm next) {
    form = next;
    whole = next == AnswerForm.PACED ? null : ByteBuffer.wrap(Answers.whole(next));
  }

  private final class Served implements SocketLoop.Reader, MessageReader.Listener {

    private final Connection connection;
    private final MessageReader requests = new MessageReader(this);

    private Served(Connection connection) {
      this.connection = connection;
    }

    @Override
    public void read(byte[] bytes, int from, int to) throws IOException {
      requests.read(bytes, from, to);
    }

    @Override
    public void body(byte[] bytes, int from, int to) {}

    @Override
    public void complete() throws IOException {
      if (requests.methodBegins('G')) {
        connection.write(HEALTHY.duplicate());
      } else if (form == AnswerForm.PACED) {
        pacer.begin(connection);
      } else {
        connection.write(whole.duplicate());
      }
    }

    @Override
    public void closed() {}
  }

  @Override
  public void close() {
    pacer.close();
    loop.close();
  }
}
