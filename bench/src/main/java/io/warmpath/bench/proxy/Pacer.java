package io.warmpath.bench.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Writes the chunks of streams, each stream's at equal intervals, each with the time it is. */
final class Pacer implements AutoCloseable {

  private record Due(Connection connection, int written, long nanos) {}

  private final int chunks;
  private final long intervalNanos;
  private final ByteBuffer chunk = Answers.timedChunk();

  /** In the order of their times, as all wait equally long. */
  private final BlockingQueue<Due> queue = new LinkedBlockingQueue<>();

  private final Thread thread = new Thread(this::run, "bench-pacer");

  /**
   * @param chunks chunks of a stream
   * @param intervalMs time between them, and before the first
   */
  Pacer(int chunks, long intervalMs) {
    this.chunks = chunks;
    this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMs);
    thread.setDaemon(true);
    thread.start();
  }

  /** Begins a stream. */
  void begin(Connection connection) throws IOException {
    connection.write(ByteBuffer.wrap(Answers.pacedBegin()));
    queue.add(new Due(connection, 0, System.nanoTime() + intervalNanos));
  }

  private void run() {
    try {
      while (true) {
        Due due = queue.take();
        Waiting.until(due.nanos());
        write(due);
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void write(Due due) {
    try {
      Answers.setTime(chunk, System.nanoTime());
      due.connection().write(chunk);
      if (due.written() + 1 < chunks) {
        queue.add(new Due(due.connection(), due.written() + 1, due.nanos() + intervalNanos));
      } else {
        due.connection().write(ByteBuffer.wrap(Answers.pacedEnd()));
      }
    } catch (IOException e) {
      // The client misses chunks, and says so.
      due.connection().close();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
