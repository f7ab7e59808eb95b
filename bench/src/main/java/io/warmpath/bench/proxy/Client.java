package io.warmpath.bench.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** A client with one connection, and one request on it at a time. */
final class Client implements SocketLoop.Reader, MessageReader.Listener {

  /** Hears of answers, on the loop's thread. */
  interface Listener {
    /**
     * An answer is complete.
     *
     * @param sound whether it is what the upstream sent, and all of it
     * @param nowNanos when its last bytes were read
     */
    void answered(Client client, boolean sound, long nowNanos);

    /** The connection is gone. */
    void lost(Client client);
  }

  private static final int OK = 200;

  private final Connection connection;
  private final AnswerForm form;
  private final int chunks;
  private final Listener listener;
  private final MessageReader answers = new MessageReader(this);
  private final ChunkTimes times;
  private volatile long dueNanos;
  private long readNanos;
  private long bodyBytes;

  /**
   * @param chunks chunks that each paced stream must have
   * @param delays takes each chunk's time on its way, ns
   */
  Client(
      Connection connection, AnswerForm form, int chunks, Listener listener, LongConsumer delays) {
    this.connection = connection;
    this.form = form;
    this.chunks = chunks;
    this.listener = listener;
    this.times = new ChunkTimes(written -> delays.accept(readNanos - written));
  }

  /**
   * Sends a request.
   *
   * @param dueNanos when it was to be sent
   */
  void ask(ByteBuffer request, long dueNanos) throws IOException {
    this.dueNanos = dueNanos;
    connection.write(request.duplicate());
  }

  /** When the last request was to be sent. */
  long dueNanos() {
    return dueNanos;
  }

  @Override
  public void read(byte[] bytes, int from, int to) throws IOException {
    readNanos = System.nanoTime();
    answers.read(bytes, from, to);
  }

  @Override
  public void body(byte[] bytes, int from, int to) {
    bodyBytes += to - from;
    if (form == AnswerForm.PACED) {
      times.read(bytes, from, to);
    }
  }

  @Override
  public void complete() {
    boolean sound = answers.status() == OK && Answers.isWhole(form, chunks, bodyBytes);
    bodyBytes = 0;
    listener.answered(this, sound, readNanos);
  }

  @Override
  public void closed() {
    listener.lost(this);
  }

  void close() {
    connection.close();
  }
}
