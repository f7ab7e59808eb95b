package io.warmpath.bench.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Writes the chunks of streams, each stream's at equal intervals, each with the time it is. The
 * chunks of all streams together come evenly too, whenever their requests came: a proxy that
 * delayed some requests so that they came at once would else get their chunks at once, too.
 */
final class Pacer implements AutoCloseable {

  private record Due(Connection connection, int written, long nanos) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return Long.signum(nanos - other.nanos);
    }
  }

  private final int streams;
  private final int chunks;
  private final long intervalNanos;
  private final ByteBuffer chunk = Answers.timedChunk();

  private final long originNanos = System.nanoTime();

  private final BlockingQueue<Due> queue = new PriorityBlockingQueue<>();

  /** Streams so far; only the upstreams' thread begins them. */
  private long begun;

  private final Thread thread = new Thread(this::run, "bench-pacer");

  /**
   * @param streams streams at once
   * @param chunks chunks of a stream
   * @param intervalMs time between them; before the first it is up to twice that
   */
  Pacer(int streams, int chunks, long intervalMs) {
    this.streams = streams;
    this.chunks = chunks;
    this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMs);
    thread.setDaemon(true);
    thread.start();
  }

  /** Begins a stream. */
  void begin(Connection connection) throws IOException {
    connection.write(ByteBuffer.wrap(Answers.pacedBegin()));
    queue.add(new Due(connection, 0, firstNanos()));
  }

  /** Each stream has its own time within the interval. */
  private long firstNanos() {
    long own = intervalNanos * (begun++ % streams) / streams;
    long earliest = System.nanoTime() + intervalNanos;
    return earliest + Math.floorMod(originNanos + own - earliest, intervalNanos);
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
