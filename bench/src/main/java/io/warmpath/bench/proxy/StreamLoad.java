package io.warmpath.bench.proxy;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Many paced streams at once, begun evenly over one interval, so that chunks come evenly too. */
final class StreamLoad implements Client.Listener {

  /**
   * What came of it.
   *
   * @param nanos each chunk's time from the upstream to the client
   * @param failures streams that were not whole
   */
  record Result(long[] nanos, long failures) {}

  private final Load load;
  private final int streams;
  private final int chunks;
  private final long[] nanos;
  private final AtomicInteger ended = new AtomicInteger();
  private volatile int read;
  private volatile int sound;

  private StreamLoad(Load load, int streams, int chunks) {
    this.load = load;
    this.streams = streams;
    this.chunks = chunks;
    this.nanos = new long[streams * chunks];
  }

  /**
   * Runs it once.
   *
   * @param intervalMs time between the chunks of a stream
   * @throws IOException if nobody listens
   */
  static Result run(Load load, int streams, int chunks, long intervalMs)
      throws IOException, InterruptedException {
    return new StreamLoad(load, streams, chunks).run(TimeUnit.MILLISECONDS.toNanos(intervalMs));
  }

  private Result run(long intervalNanos) throws IOException, InterruptedException {
    try (SocketLoop loop = new SocketLoop("bench-clients")) {
      Client[] clients = new Client[streams];
      for (int number = 0; number < streams; number++) {
        int at = number;
        loop.connect(
            load.port(number),
            connection ->
                clients[at] = new Client(connection, load.form(), chunks, this, this::took));
      }
      long start = System.nanoTime();
      for (int number = 0; number < streams; number++) {
        Waiting.until(start + intervalNanos * number / streams);
        clients[number].ask(load.request(number), System.nanoTime());
      }
      Waiting.until(() -> ended.get() == streams, Load.PATIENCE.plusNanos(intervalNanos * chunks));
      return new Result(Arrays.copyOf(nanos, read), streams - sound);
    }
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // only the loop's thread writes it
  private void took(long delayNanos) {
    if (read < nanos.length) {
      nanos[read++] = delayNanos;
    }
  }

  @Override
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  public void answered(Client client, boolean isSound, long nowNanos) {
    if (isSound) {
      sound++;
    }
    ended.incrementAndGet();
  }

  @Override
  public void lost(Client client) {
    ended.incrementAndGet();
  }
}
